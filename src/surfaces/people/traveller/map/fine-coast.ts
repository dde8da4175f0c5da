import { Worker } from 'node:worker_threads';
import type { MapPoint } from './land.ts';

/** A coastline of the most detailed map, as a flat array: longitude, latitude, longitude, latitude. */
export interface FineCoast {
  line: Float32Array;
  west: number;
  south: number;
  east: number;
  north: number;
}

let coasts: Promise<FineCoast[]> | undefined;

/** Loads the coastlines at 1 : 10,000,000 in a worker thread when the first map needs them. */
export function fineCoasts(): Promise<FineCoast[]> {
  coasts ??= readInThread().catch((thrown: unknown) => {
    coasts = undefined;
    throw thrown;
  });
  return coasts;
}

function readInThread(): Promise<FineCoast[]> {
  const worker = new Worker(new URL('read-coast.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      reject(new Error('The reader of the coast ended early.'));
    });
  });
}

/** Returns the points of a coastline, shifted by `turn` degrees of longitude (a multiple of 360). */
export function pointsOf({ line }: FineCoast, turn: number): MapPoint[] {
  return Array.from({ length: line.length / 2 }, (_, index): MapPoint => [
    (line[index * 2] ?? 0) + turn,
    line[index * 2 + 1] ?? 0,
  ]);
}
