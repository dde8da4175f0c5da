import type { IndexStore } from './index-store.ts';

/** A term over all destinations. */
export interface Word {
  /** How many places have it. */
  places: number;
  /** Its number among the words that misspelt ones are corrected to; 0 where it is none of them. */
  number: number;
  /** The destinations that have it, those with the best places first, see placed. */
  where: number[];
}

const DESTINATIONS = 2 ** 24;

/** A destination with the grade of its best place, as one number: the smaller comes first. */
export function placed(destination: number, grade: number): number {
  return grade * DESTINATIONS + destination;
}

export function destinationIn(where: number): number {
  return where % DESTINATIONS;
}

export function gradeIn(where: number): number {
  return Math.floor(where / DESTINATIONS);
}

// Four bytes each for places and number, then for each destination two for its grade and three for itself.
const HEAD_BYTES = 8;
const ENTRY_BYTES = 5;

export function readWord({ words }: IndexStore, term: string): Word | undefined {
  const bytes = words.getBinaryFast(term);
  if (bytes === undefined) return undefined;
  const { length } = bytes;
  const where: number[] = [];
  for (let at = HEAD_BYTES; at + ENTRY_BYTES <= length; at += ENTRY_BYTES)
    where.push(bytes.readUIntBE(at, ENTRY_BYTES));
  return { places: placesIn(bytes), number: bytes.readUInt32LE(4), where };
}

/** How many places have the word whose entry this is. */
export function placesIn(bytes: Buffer): number {
  return bytes.readUInt32LE(0);
}

export function writeWord({ words }: IndexStore, term: string, word: Word, append: boolean): void {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + word.where.length * ENTRY_BYTES);
  bytes.writeUInt32LE(word.places, 0);
  bytes.writeUInt32LE(word.number, 4);
  for (const [i, entry] of word.where.entries())
    bytes.writeUIntBE(entry, HEAD_BYTES + i * ENTRY_BYTES, ENTRY_BYTES);
  words.putSync(term, bytes, (append ? { append: true } : undefined) as never);
}
