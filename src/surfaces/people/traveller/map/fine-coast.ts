import { Worker } from 'node:worker_threads';
import type { Point } from './land.ts';

/** One coastline of the finest map, kept as numbers in a row: longitude, latitude, longitude, latitude. */
export interface FineCoast {
  line: Float32Array;
  west: number;
  south: number;
  east: number;
  north: number;
}

let coasts: Promise<FineCoast[]> | undefined;

/** The coastlines at 1 : 10,000,000, read beside the requests when the first map needs them. */
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

/** The points of a coast, turned by whole turns of the globe to lie around a longitude. */
export function pointsOf({ line }: FineCoast, turn: number): Point[] {
  return Array.from({ length: line.length / 2 }, (_, index): Point => [
    (line[index * 2] ?? 0) + turn,
    line[index * 2 + 1] ?? 0,
  ]);
}
