import type { PlaceBatch, PlaceReading } from '../place-draft.ts';

/** What the places of a source lie in. */
export type Surroundings = Pick<PlaceBatch, 'settlements' | 'areas'>;

/** Reads a source for what its places lie in. */
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
 * Reads a source to its end and holds it, so that its areas and settlements, which come last, are known when its places
 * are given out. Only for sources that fit into memory; it saves reading them twice.
 */
export async function holdReading(
  reading: PlaceReading,
): Promise<{ held: PlaceReading; surroundings: Surroundings }> {
  const batches: PlaceBatch[] = [];
  for await (const batch of reading.batches()) batches.push(batch);
  const { extractedAt, box, counts } = reading;
  const held: PlaceReading = {
    extractedAt,
    box,
    counts,
    // eslint-disable-next-line @typescript-eslint/require-await -- the batches are here already
    async *batches() {
      yield* batches;
    },
    close: () => Promise.resolve(),
  };
  return { held, surroundings: surroundingsOf(batches) };
}
