import type { IndexedDestination, IndexRow } from '../build/index-row.ts';
import { packFacts } from '../build/indexed-row.ts';
import type { SharedHours } from '../query/lexicon.ts';
import type { Segment } from './segment.ts';

const WEEK_HOURS = 168;

/** Puts rows into a segment. Used for a whole new file, in rank order, and for single places that changed since. */
export class SegmentWriter {
  readonly #segment: Segment;

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  addDestination({ number, id, slug, timezone }: IndexedDestination): void {
    this.#segment.change('insert or ignore into destination values (?, ?, ?, ?)', number, id, slug, timezone);
  }

  addHours(hours: readonly SharedHours[]): void {
    for (const { id, text } of hours) this.#segment.change('insert into hours values (?, ?)', id, text);
  }

  /** Adds a place, which is the so-manieth of its destination. */
  add(row: IndexRow, ordinal: number): void {
    const [booked, placed] = packFacts({ ...row, ordinal });
    const sql = 'insert into doc values (?, ?, ?, ?, ?)';
    this.#segment.change(sql, row.rowid, row.placeId, row.card, booked, placed);
  }

  /** Makes a place findable. A whole new file gets the tokens of all places at once instead. */
  addTokens(rowid: number, tokens: string): void {
    this.#segment.change('insert into token (rowid, tokens) values (?, ?)', rowid, tokens);
  }

  remove(rowid: number): void {
    this.#segment.change('delete from token where rowid = ?', rowid);
    this.#segment.change('delete from doc where rowid = ?', rowid);
  }
}

/** For one destination: its places in rank order, and for every hour of the week which of them are open in it. */
export class DestinationBits {
  readonly #rowids: number[] = [];
  readonly #hours: (number | null)[] = [];

  /** Notes a place and the number of its hours, null where they do not count; gives its place in the order. */
  add(rowid: number, hours: number | null): number {
    this.#hours.push(hours);
    return this.#rowids.push(rowid) - 1;
  }

  write(segment: Segment, destination: number, openIn: ReadonlyMap<number, readonly number[]>): void {
    const rowids = new Float64Array(this.#rowids);
    segment.statement('insert into ranked values (?, ?)').run(destination, new Uint8Array(rowids.buffer));
    const bytes = Math.ceil(rowids.length / 8);
    const open = Array.from({ length: WEEK_HOURS }, () => new Uint8Array(bytes));
    for (const [ordinal, hours] of this.#hours.entries()) {
      if (hours === null) continue;
      const bit = 1 << (ordinal & 7);
      for (const hour of openIn.get(hours) ?? []) {
        const bits = open[hour] as Uint8Array;
        bits[ordinal >> 3] = (bits[ordinal >> 3] ?? 0) | bit;
      }
    }
    const statement = segment.statement('insert into open_hours values (?, ?, ?)');
    for (const [hour, bits] of open.entries())
      if (bits.some((byte) => byte !== 0)) statement.run(destination, hour, bits);
  }
}
