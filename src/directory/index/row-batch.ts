import type { IndexRow, SharedHours } from './index-row.ts';

/** Rows on their way from the thread that makes them to the one that writes them: columns are copied quicker than rows. */
export interface RowBatch {
  placeIds: string[];
  cards: string[];
  numbers: Float64Array<ArrayBuffer>;
  /** The terms of the rows, see TermList. */
  terms: Uint32Array<ArrayBuffer>;
  newHours: SharedHours[];
}

const NUMBERS = 7;
const NO_HOURS = -1;

export function packRows(
  rows: readonly IndexRow[],
  terms: Uint32Array<ArrayBuffer>,
  newHours: SharedHours[],
): RowBatch {
  const numbers = new Float64Array(rows.length * NUMBERS);
  for (const [i, { rowid, method, hours, hoursUntil, destination, lat, lng }] of rows.entries()) {
    numbers.set([rowid, method, hours ?? NO_HOURS, hoursUntil, destination, lat, lng], i * NUMBERS);
  }
  return {
    placeIds: rows.map(({ placeId }) => placeId),
    cards: rows.map(({ card }) => card),
    numbers,
    terms,
    newHours,
  };
}

export function unpackRows({ placeIds, cards, numbers }: RowBatch): IndexRow[] {
  return placeIds.map((placeId, i) => {
    const [rowid = 0, method = 0, hours = NO_HOURS, hoursUntil = 0, destination = 0, lat = 0, lng = 0] =
      numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS);
    return {
      rowid,
      placeId,
      card: cards[i] ?? '',
      method,
      hours: hours === NO_HOURS ? null : hours,
      hoursUntil,
      destination,
      lat,
      lng,
    };
  });
}
