import type { CompiledHours } from '../hours/compiled-hours.ts';
import { openWeekHours } from '../hours/weekly-hours.ts';
import { documentOf, type PlaceRow } from './document.ts';
import { rowidOf, scoreOf } from './rank.ts';
import type { Segment } from './segment.ts';

export interface IndexedDestination {
  number: number;
  id: string;
  slug: string;
  timezone: string;
}

const WEEK_HOURS = 168;

/** Puts places into a segment. Used for a whole new file, in rank order, and for single places that changed since. */
export class SegmentWriter {
  readonly #segment: Segment;
  readonly #now: Date;
  readonly #hours = new Map<string, { id: number; open: readonly number[] }>();
  #serial: number;

  constructor(segment: Segment, now: Date, firstSerial: number) {
    this.#segment = segment;
    this.#now = now;
    this.#serial = firstSerial;
  }

  addDestination({ number, id, slug, timezone }: IndexedDestination): void {
    this.#segment
      .statement('insert or ignore into destination values (?, ?, ?, ?)')
      .run(number, id, slug, timezone);
  }

  /** Adds one place and tells where it went, its words, and the hours of the week in which it is open. */
  add(
    place: PlaceRow,
    destination: IndexedDestination,
    ordinal: number,
  ): { rowid: number; words: string[]; open: readonly number[] } {
    const document = documentOf(place, destination, this.#now);
    const rowid = rowidOf(scoreOf(place.verified, place.rating, place.review_count), this.#serial++);
    const hours = document.compiled === null ? undefined : this.#internHours(document.compiled);
    this.#segment.statement('insert into token (rowid, tokens) values (?, ?)').run(rowid, document.tokens);
    this.#segment
      .statement('insert into doc values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        rowid,
        place.id,
        document.card,
        document.method,
        hours?.id ?? null,
        document.hoursUntil,
        destination.number,
        ordinal,
        place.lat,
        place.lng,
      );
    return { rowid, words: document.words, open: document.hoursUntil === 0 ? [] : (hours?.open ?? []) };
  }

  remove(rowid: number): void {
    this.#segment.statement('delete from token where rowid = ?').run(rowid);
    this.#segment.statement('delete from doc where rowid = ?').run(rowid);
  }

  /** Many places keep the same hours: they are stored once. */
  #internHours(compiled: string): { id: number; open: readonly number[] } {
    let known = this.#hours.get(compiled);
    if (known === undefined) {
      known = { id: this.#hours.size + 1, open: openWeekHours(JSON.parse(compiled) as CompiledHours) };
      this.#hours.set(compiled, known);
      this.#segment.statement('insert into hours values (?, ?)').run(known.id, compiled);
    }
    return known;
  }
}

/** For one destination: its places in rank order, and for every hour of the week which of them are open in it. */
export class DestinationBits {
  readonly rowids: number[] = [];
  readonly #open = Array.from({ length: WEEK_HOURS }, () => [] as number[]);

  add(rowid: number, open: readonly number[]): number {
    const ordinal = this.rowids.length;
    this.rowids.push(rowid);
    for (const hour of open) this.#open[hour]?.push(ordinal);
    return ordinal;
  }

  write(segment: Segment, destination: number): void {
    const rowids = new Float64Array(this.rowids);
    segment.statement('insert into ranked values (?, ?)').run(destination, new Uint8Array(rowids.buffer));
    for (const [hour, ordinals] of this.#open.entries()) {
      if (ordinals.length === 0) continue;
      const bits = new Uint8Array(Math.ceil(this.rowids.length / 8));
      for (const ordinal of ordinals) bits[ordinal >> 3] = (bits[ordinal >> 3] ?? 0) | (1 << (ordinal & 7));
      segment.statement('insert into open_hours values (?, ?, ?)').run(destination, hour, bits);
    }
  }
}
