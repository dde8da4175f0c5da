import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { reversed } from './plane.ts';

/** A side of the map that is known, in degrees. */
export interface CoastFrame {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** A closed coast without a repeated point: longitude, latitude, longitude, latitude. The land is on the left. */
export type FarCoast = readonly number[];

interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: [number, number][][];
  objects: { land: { geometries: { arcs: number[][][] }[] } };
}

/** Reads the coasts of Natural Earth at 1 : 10,000,000 that pass through a frame. */
export function readFarCoasts(frame: CoastFrame): FarCoast[] {
  const path = fileURLToPath(import.meta.resolve('world-atlas/land-10m.json'));
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology;
  const arcs = topology.arcs.map((arc) => unpack(arc, topology.transform));
  const passes = (line: readonly number[]) =>
    line.some((x, at) => at % 2 === 0 && isInside(frame, x, line[at + 1] ?? 0));
  const passing = new Set(arcs.keys().filter((at) => passes(arcs[at] ?? [])));
  const polygons = topology.objects.land.geometries.flatMap((geometry) => geometry.arcs);
  return polygons.flatMap((rings) =>
    rings.flatMap((ring, at) => {
      if (!ring.some((index) => passing.has(index < 0 ? ~index : index))) return [];
      const joined = ring.flatMap((index) => {
        const line = index < 0 ? reversed(arcs[~index] ?? []) : (arcs[index] ?? []);
        // The next arc begins where this one ends.
        return line.slice(0, -2);
      });
      // Land turns left, and a lake in it turns right.
      return [areaOf(joined) > 0 === (at === 0) ? joined : reversed(joined)];
    }),
  );
}

function unpack(arc: Topology['arcs'][number], { scale, translate }: Topology['transform']): number[] {
  let [x, y] = [0, 0];
  return arc.flatMap(([stepX, stepY]) => {
    x += stepX;
    y += stepY;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

function areaOf(ring: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    sum += (ring[at] ?? 0) * (ring[next + 1] ?? 0) - (ring[next] ?? 0) * (ring[at + 1] ?? 0);
  }
  return sum / 2;
}

function isInside({ left, right, bottom, top }: CoastFrame, x: number, y: number): boolean {
  return x > left && x < right && y > bottom && y < top;
}

/** A coast that is farther from the end of a line is another one. */
const NEAR_DEGREES = 0.05;
/** The two maps differ by about this, so that nearer points might lie behind the end of the line. */
const JOIN_DEGREES = 0.008;

/**
 * Follows the coast nearest to the end of a line, ahead or back, until it leaves the frame. Returns the points of the way,
 * of which the last is outside; undefined where no coast is near or it does not leave the frame.
 */
export function followCoast(
  coasts: readonly FarCoast[],
  [x, y]: readonly [number, number],
  isAhead: boolean,
  frame: CoastFrame,
): number[] | undefined {
  const narrow = Math.cos((y * Math.PI) / 180);
  const distance = (coast: FarCoast, at: number) =>
    Math.hypot(((coast[at] ?? 0) - x) * narrow, (coast[at + 1] ?? 0) - y);
  let nearest: { coast: FarCoast; at: number; far: number } | undefined;
  for (const coast of coasts)
    for (let at = 0; at < coast.length; at += 2) {
      const far = distance(coast, at);
      if (far < (nearest?.far ?? NEAR_DEGREES)) nearest = { coast, at, far };
    }
  if (nearest === undefined) return undefined;
  const { coast, at: from } = nearest;
  const way: number[] = [];
  for (let step = 0; step < coast.length; step += 2) {
    const at = (from + (isAhead ? step : coast.length - step)) % coast.length;
    if (way.length === 0 && distance(coast, at) < JOIN_DEGREES) continue;
    const [nextX = 0, nextY = 0] = [coast[at], coast[at + 1]];
    way.push(nextX, nextY);
    if (!isInside(frame, nextX, nextY)) return way;
  }
  return undefined;
}
