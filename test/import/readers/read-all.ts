import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlaceDraft, PlaceReading, ReadCounts, Settlement } from '../../../src/import/place-draft.ts';

export interface ReadResult {
  places: PlaceDraft[];
  settlements: Settlement[];
  counts: ReadCounts;
  extractedAt: Date | null;
}

/** Reads a source to its end. */
export async function readAll(reading: PlaceReading): Promise<ReadResult> {
  const places: PlaceDraft[] = [];
  const settlements: Settlement[] = [];
  for await (const batch of reading.batches()) {
    places.push(...batch.places);
    settlements.push(...batch.settlements);
  }
  return { places, settlements, counts: reading.counts, extractedAt: reading.extractedAt };
}

/** Lends a file with the given content, and removes it afterwards. */
export async function withFile<T>(content: string | Buffer, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-import-'));
  try {
    const path = join(folder, 'source');
    await writeFile(path, content);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
