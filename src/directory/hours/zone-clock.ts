import { MINUTE_MS } from '../../core/time.ts';

const NANOSECONDS_PER_MS = 1_000_000;
/** No zone has ever moved its clocks by more than a day and an hour or two. */
const SHIFT_MAX_MS = 27 * 60 * MINUTE_MS;

/** A time between two changes of a zone's offset: from `from` to before `until`. All are milliseconds. */
interface Stretch {
  readonly from: number;
  readonly until: number;
  readonly offset: number;
}

function readStretch(timezone: string, instant: number): Stretch {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  const next = at.getTimeZoneTransition('next');
  // A transition at this very instant begins the stretch, and "previous" alone would step over it.
  const previous = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  return {
    from: previous?.epochMilliseconds ?? -Infinity,
    until: next?.epochMilliseconds ?? Infinity,
    offset: at.offsetNanoseconds / NANOSECONDS_PER_MS,
  };
}

/** The wall clock of a time zone, by arithmetic on the stretches of time that were asked about before. */
export class ZoneClock {
  readonly #timezone: string;
  readonly #known: Stretch[] = [];
  #latest: Stretch;

  constructor(timezone: string) {
    this.#timezone = timezone;
    this.#latest = readStretch(timezone, 0);
  }

  /** The offset at an instant, and the time for which it holds. */
  stretchAt(instant: number): Stretch {
    const latest = this.#latest;
    return latest.from <= instant && instant < latest.until ? latest : this.#findStretch(instant);
  }

  /** What the wall clock shows, as milliseconds since its own 1970-01-01 00:00. */
  localAt(instant: number): number {
    return instant + this.stretchAt(instant).offset;
  }

  /**
   * The instant at which the wall clock shows a minute. A minute that comes twice means its first coming; one that
   * is skipped means the moment of the skip.
   */
  instantOf(minute: number): number {
    const local = minute * MINUTE_MS;
    const { from, until, offset } = this.#latest;
    const instant = local - offset;
    return instant >= from + SHIFT_MAX_MS && instant < until ? instant : this.#searchInstant(local);
  }

  #findStretch(instant: number): Stretch {
    let stretch = this.#known.find(({ from, until }) => from <= instant && instant < until);
    if (stretch === undefined) {
      stretch = readStretch(this.#timezone, instant);
      this.#known.push(stretch);
    }
    this.#latest = stretch;
    return stretch;
  }

  #searchInstant(local: number): number {
    let stretch = this.stretchAt(local - SHIFT_MAX_MS);
    while (local - stretch.offset >= stretch.until) stretch = this.stretchAt(stretch.until);
    return Math.max(local - stretch.offset, stretch.from);
  }
}

const clocks = new Map<string, ZoneClock>();

/** The clock of an IANA time zone; an unknown name is a RangeError. */
export function zoneClock(timezone: string): ZoneClock {
  let clock = clocks.get(timezone);
  if (clock === undefined) {
    clock = new ZoneClock(timezone);
    clocks.set(timezone, clock);
  }
  return clock;
}

/** Whole minutes on the zone's wall clock since its 1970-01-01 00:00. */
export function localMinuteOf(timezone: string, instant: Date): number {
  return Math.floor(zoneClock(timezone).localAt(instant.getTime()) / MINUTE_MS);
}

/** The other way round: see `ZoneClock.instantOf` for minutes that come twice or not at all. */
export function instantOfLocalMinute(timezone: string, minute: number): Date {
  return new Date(zoneClock(timezone).instantOf(minute));
}
