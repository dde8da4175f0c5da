import type { PlaceBatch, PlaceReading, Settlement } from '../place-draft.ts';

/**
 * Reads a source to its end and holds it, so that its settlements, which come last, are known when its places are
 * given out. Only for sources that fit into memory; it saves reading them twice.
 */
export async function holdReading(
  reading: PlaceReading,
): Promise<{ held: PlaceReading; settlements: Settlement[] }> {
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
  return { held, settlements: batches.flatMap(({ settlements }) => settlements) };
}
