import type { PlaceBatch, PlaceReading } from '../place-draft.ts';

/** Settlements and areas around the places of a source. */
export type Surroundings = Pick<PlaceBatch, 'settlements' | 'areas'>;

/** Reads only the settlements and areas of a source. */
export async function readSurroundings(reading: PlaceReading): Promise<Surroundings> {
  const batches: PlaceBatch[] = [];
  for await (const batch of reading.batches()) batches.push(batch);
  return surroundingsOf(batches);
}

function surroundingsOf(batches: readonly PlaceBatch[]): Surroundings {
  return {
    settlements: batches.flatMap(({ settlements }) => settlements),
    areas: batches.flatMap(({ areas }) => areas),
  };
}

/**
 * Reads a source completely into memory, so that its areas and settlements, which come last, are known before its
 * places are processed. Only for sources that fit into memory; it avoids reading them twice.
 */
export async function readIntoMemory(
  reading: PlaceReading,
): Promise<{ held: PlaceReading; surroundings: Surroundings }> {
  const batches: PlaceBatch[] = [];
  for await (const batch of reading.batches()) batches.push(batch);
  const { extractedAt, box, counts } = reading;
  const heldReading: PlaceReading = {
    extractedAt,
    box,
    counts,
    // eslint-disable-next-line @typescript-eslint/require-await -- the batches are here already
    async *batches() {
      yield* batches;
    },
    close: () => Promise.resolve(),
  };
  return { held: heldReading, surroundings: surroundingsOf(batches) };
}
