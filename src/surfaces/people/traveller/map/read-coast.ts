import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import type { FineCoast } from './ground.ts';

interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: [number, number][][];
  objects: { land: { geometries: { arcs: number[][][] }[] } };
}

function readCoasts(): FineCoast[] {
  const path = fileURLToPath(import.meta.resolve('world-atlas/land-10m.json'));
  const { transform, arcs, objects } = JSON.parse(readFileSync(path, 'utf8')) as Topology;
  const rings = objects.land.geometries.flatMap((geometry) => geometry.arcs.flat());
  return rings.map((ring) => coastOf(unpack(ring, arcs, transform)));
}

/** Joins the arcs of a ring. A negative index means the arc of its bitwise complement, reversed. */
function unpack(
  ring: readonly number[],
  arcs: Topology['arcs'],
  { scale, translate }: Topology['transform'],
): Float32Array {
  const lines = ring.map((index) => {
    const steps = arcs[index < 0 ? ~index : index] ?? [];
    const line = new Float32Array(steps.length * 2);
    let [x, y] = [0, 0];
    for (const [at, [stepX, stepY]] of steps.entries()) {
      x += stepX;
      y += stepY;
      const slot = index < 0 ? steps.length - 1 - at : at;
      line[slot * 2] = x * scale[0] + translate[0];
      line[slot * 2 + 1] = y * scale[1] + translate[1];
    }
    return line;
  });
  const whole = new Float32Array(lines.reduce((sum, line) => sum + line.length, 0));
  let end = 0;
  for (const line of lines) {
    whole.set(line, end);
    end += line.length;
  }
  return whole;
}

/** Unwraps the line at the date line, in place: a coast is one unbroken line that may pass 180 degrees. */
function coastOf(line: Float32Array): FineCoast {
  const coast = { line, west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  let last = line[0] ?? 0;
  for (let at = 0; at < line.length; at += 2) {
    const wrapped = line[at] ?? 0;
    const lng = wrapped + 360 * Math.round((last - wrapped) / 360);
    const lat = line[at + 1] ?? 0;
    line[at] = last = lng;
    coast.west = Math.min(coast.west, lng);
    coast.east = Math.max(coast.east, lng);
    coast.south = Math.min(coast.south, lat);
    coast.north = Math.max(coast.north, lat);
  }
  return coast;
}

// This file runs in a worker thread: the parsed source takes a hundred megabytes, which are freed with the thread.
const coasts = readCoasts();
parentPort?.postMessage(
  coasts,
  coasts.map(({ line }) => line.buffer as ArrayBuffer),
);
