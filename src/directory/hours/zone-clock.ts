import { MINUTE_MS } from '../../core/time.ts';

const NANOSECONDS_PER_MS = 1_000_000;
/** Maximum shift of a zone's clocks: none has ever exceeded a day and an hour or two. */
const SHIFT_MAX_MS = 27 * 60 * MINUTE_MS;

/** A period between two changes of a zone's offset, `until` excluded. All values are milliseconds. */
interface OffsetPeriod {
  readonly from: number;
  readonly until: number;
  readonly offset: number;
}

function readPeriod(timezone: string, instant: number): OffsetPeriod {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  const next = at.getTimeZoneTransition('next');
  // A transition at exactly this instant begins the period, and "previous" alone would skip it.
  const previous = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  return {
    from: previous?.epochMilliseconds ?? -Infinity,
    until: next?.epochMilliseconds ?? Infinity,
    offset: at.offsetNanoseconds / NANOSECONDS_PER_MS,
  };
}

/** Wall clock of a time zone. Caches the offset periods that were used before. */
export class ZoneClock {
  readonly #timezone: string;
  readonly #periods: OffsetPeriod[] = [];
  #latest: OffsetPeriod;

  constructor(timezone: string) {
    this.#timezone = timezone;
    this.#latest = readPeriod(timezone, 0);
  }

  stretchAt(instant: number): OffsetPeriod {
    const latest = this.#latest;
    return latest.from <= instant && instant < latest.until ? latest : this.#findPeriod(instant);
  }

  /** Returns the wall clock time, as milliseconds since its own 1970-01-01 00:00. */
  localAt(instant: number): number {
    return instant + this.stretchAt(instant).offset;
  }

  /** Returns the first instant of a wall clock minute, and the moment of the skip for a skipped one. */
  instantOf(minute: number): number {
    const local = minute * MINUTE_MS;
    const { from, until, offset } = this.#latest;
    const instant = local - offset;
    return instant >= from + SHIFT_MAX_MS && instant < until ? instant : this.#searchInstant(local);
  }

  #findPeriod(instant: number): OffsetPeriod {
    let period = this.#periods.find(({ from, until }) => from <= instant && instant < until);
    if (period === undefined) {
      period = readPeriod(this.#timezone, instant);
      this.#periods.push(period);
    }
    this.#latest = period;
    return period;
  }

  #searchInstant(local: number): number {
    let period = this.stretchAt(local - SHIFT_MAX_MS);
    while (local - period.offset >= period.until) period = this.stretchAt(period.until);
    return Math.max(local - period.offset, period.from);
  }
}

const clocks = new Map<string, ZoneClock>();

/** Returns the clock of an IANA time zone; throws a RangeError for an unknown name. */
export function zoneClock(timezone: string): ZoneClock {
  return clocks.getOrInsertComputed(timezone, () => new ZoneClock(timezone));
}

/** Whole minutes on the zone's wall clock since its 1970-01-01 00:00. */
export function localMinuteOf(timezone: string, instant: Date): number {
  return Math.floor(zoneClock(timezone).localAt(instant.getTime()) / MINUTE_MS);
}

/** Inverse of `localMinuteOf`. See `ZoneClock.instantOf` for minutes that occur twice or not at all. */
export function instantOfLocalMinute(timezone: string, minute: number): Date {
  return new Date(zoneClock(timezone).instantOf(minute));
}
