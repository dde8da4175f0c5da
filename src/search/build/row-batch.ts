import type { PlaceRow } from './document.ts';
import type { RowHours, SharedHours } from '../query/lexicon.ts';
import { placeOf } from './place-text.ts';

/**
 * Places on their way from the thread that reads them to the one that writes them. They go as the texts that they came
 * as, which are copied quickest; both threads then have as much to do.
 */
export interface RowBatch {
  texts: string[];
  /** Those whose text does not tell, by their ids. */
  incomplete: Map<string, PlaceRow>;
  /** Two numbers for each place, see RowHours. */
  hours: Int32Array<ArrayBuffer>;
  /** The terms of the places, see TermList. */
  terms: Uint32Array<ArrayBuffer>;
  newHours: SharedHours[];
}

const NO_HOURS = -1;

export function packHours(all: readonly RowHours[]): Int32Array<ArrayBuffer> {
  const packed = new Int32Array(all.length * 2);
  for (const [i, { hours, hoursUntil }] of all.entries()) {
    packed[i * 2] = hours ?? NO_HOURS;
    packed[i * 2 + 1] = hoursUntil;
  }
  return packed;
}

export function* unpack({
  texts,
  incomplete,
  hours,
}: RowBatch): Generator<{ place: PlaceRow; hours: RowHours }> {
  for (const [i, text] of texts.entries()) {
    const told = placeOf(text);
    const place = typeof told === 'string' ? incomplete.get(told) : told;
    if (place === undefined) throw new Error('A place came without its columns.');
    const number = hours[i * 2] ?? NO_HOURS;
    yield { place, hours: { hours: number === NO_HOURS ? null : number, hoursUntil: hours[i * 2 + 1] ?? 0 } };
  }
}
