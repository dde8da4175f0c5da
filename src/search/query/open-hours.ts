import type { CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import { isOpenAt, openAt, type OpenAt } from '../../directory/hours/open-at.ts';
import { localMinuteOf } from '../../directory/hours/zone-clock.ts';
import type { IndexedRow } from '../build/indexed-row.ts';
import type { Segment } from '../store/segment.ts';
import { DAY_MS } from '../../core/time.ts';

const CACHED_HOURS = 20_000;
const UNKNOWN: OpenAt = { open: null, until: null };

/** Until when is worked out where it is asked for; most lists only say whether. */
class OpenThen implements OpenAt {
  readonly open: boolean | null;
  readonly #compiled: CompiledHours;
  readonly #timezone: string;
  readonly #instant: Date;

  constructor(compiled: CompiledHours, timezone: string, instant: Date) {
    this.open = isOpenAt(compiled, timezone, instant);
    this.#compiled = compiled;
    this.#timezone = timezone;
    this.#instant = instant;
  }

  get until(): Date | null {
    return openAt(this.#compiled, this.#timezone, this.#instant).until;
  }
}

/** Answers "open at that moment?" for the rows of one segment. */
export class OpenHours {
  readonly #segment: Segment;
  readonly #compiled = new Map<number, CompiledHours>();
  readonly #timezones = new Map<number, string>();
  readonly #ranked = new Map<number, Float64Array>();

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  at(row: IndexedRow, instant: Date): OpenAt {
    if (row.hours === null || row.hours_until * DAY_MS < instant.getTime()) return UNKNOWN;
    const compiled = this.#load(row.hours);
    return compiled === undefined ? UNKNOWN : new OpenThen(compiled, this.timezone(row.destination), instant);
  }

  timezone(destination: number): string {
    let timezone = this.#timezones.get(destination);
    if (timezone === undefined) {
      const row = this.#segment
        .statement('select timezone from destination where number = ?')
        .get(destination);
      timezone = (row as { timezone: string } | undefined)?.timezone ?? 'UTC';
      this.#timezones.set(destination, timezone);
    }
    return timezone;
  }

  /** Which of a destination's places, in rank order, are open in this hour of their ordinary week. */
  bits(destination: number, instant: Date): { open: Uint8Array; rowids: Float64Array } | undefined {
    const rowids = this.#rankedIn(destination);
    if (rowids === undefined) return undefined;
    const hour = hourOfWeek(this.timezone(destination), instant);
    const found = this.#segment
      .statement('select bits from open_hours where destination = ? and hour = ?')
      .get(destination, hour) as { bits: Uint8Array } | undefined;
    return { open: found?.bits ?? new Uint8Array(0), rowids };
  }

  /** The places of a destination in rank order: eight bytes each, read once, because a large one has a megabyte of them. */
  #rankedIn(destination: number): Float64Array | undefined {
    const known = this.#ranked.get(destination);
    if (known !== undefined) return known;
    const row = this.#segment
      .statement('select rowids from ranked where destination = ?')
      .get(destination) as { rowids: Uint8Array } | undefined;
    if (row === undefined) return undefined;
    const { buffer, byteOffset, byteLength } = row.rowids;
    const rowids = new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    this.#ranked.set(destination, rowids);
    return rowids;
  }

  #load(id: number): CompiledHours | undefined {
    const known = this.#compiled.get(id);
    if (known !== undefined) return known;
    const row = this.#segment.statement('select compiled from hours where id = ?').get(id) as
      { compiled: string } | undefined;
    if (row === undefined) return undefined;
    const compiled = JSON.parse(row.compiled) as CompiledHours;
    if (this.#compiled.size >= CACHED_HOURS) this.#compiled.clear();
    this.#compiled.set(id, compiled);
    return compiled;
  }
}

const WEEK_MINUTES = 10_080;
// The epoch was a Thursday.
const EPOCH_MINUTE_OF_WEEK = 3 * 1440;

/** 0 is the first hour of Monday. */
export function hourOfWeek(timezone: string, instant: Date): number {
  const minutes = localMinuteOf(timezone, instant) + EPOCH_MINUTE_OF_WEEK;
  return Math.floor((((minutes % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES) / 60);
}

export function isSet(bits: Uint8Array, ordinal: number): boolean {
  return ((bits[ordinal >> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;
}

export function countSet(bits: Uint8Array): number {
  let count = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) count++;
  return count;
}
