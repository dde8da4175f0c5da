import {
  type CompiledHours,
  DAY_MINUTES,
  type DayHours,
  type WeekHours,
  dayNumber,
  weekdayOf,
} from './compile/compiled-hours.ts';
import { type ZoneClock, zoneClock } from './zone-clock.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time.ts';

/** Without a change in this many days, a repeating week has none at all. */
const REPEAT_DAYS = 8;
const NO_HOURS: DayHours = [];

export interface OpenAt {
  /** Null where it is unknown: doubtful hours, hours by arrangement, days beyond the compiled window. */
  readonly open: boolean | null;
  /** Time at which `open` changes; null if it does not within the compiled window. */
  readonly until: Date | null;
}

interface DatedHours {
  readonly exceptions: ReadonlyMap<number, DayHours>;
  readonly seasons: readonly { from: number; until: number; week: WeekHours }[];
  readonly from: number;
  readonly until: number;
}

/** Dates as day numbers, computed once for hours with dates; most have none. */
const dated = new WeakMap<CompiledHours, DatedHours>();

function datedHours(compiled: CompiledHours): DatedHours | null {
  if (compiled.from === undefined || compiled.until === undefined) return null;
  const dates = <Dates extends { from: string; until: string }>({ from, until, ...rest }: Dates) => ({
    ...rest,
    from: dayNumber(from),
    until: dayNumber(until),
  });
  const { from, until, seasons = [], exceptions = {} } = compiled;
  return dated.getOrInsertComputed(compiled, () => ({
    ...dates({ from, until }),
    seasons: seasons.map(dates),
    exceptions: new Map(Object.entries(exceptions).map(([date, hours]) => [dayNumber(date), hours])),
  }));
}

interface Timetable {
  readonly week: WeekHours;
  readonly dates: DatedHours | null;
  readonly clock: ZoneClock;
  /** First day after the window. */
  readonly end: number;
}

function hoursOfDay({ week, dates }: Timetable, day: number): DayHours {
  const exception = dates?.exceptions.get(day);
  if (exception !== undefined) return exception;
  const season = dates?.seasons.find(({ from, until }) => from <= day && day < until);
  return (season?.week ?? week)[weekdayOf(day)] ?? NO_HOURS;
}

interface Moment {
  readonly open: boolean | null;
  /** Next instant at which a span begins or ends, or else the start of the next day with spans. */
  readonly next: number;
}

/**
 * Returns the state at an instant. Spans are compared as instants, not as wall clock times: where clocks are set back,
 * an hour that occurs twice is open or closed once, and where they are set forward, a skipped end falls on the skip.
 */
function momentAt(table: Timetable, instant: number): Moment {
  const { clock } = table;
  const stretch = clock.stretchAt(instant);
  const today = Math.floor((instant + stretch.offset) / DAY_MS);
  // Within a day of an offset change, midnight may already have passed for spans of the next day.
  const last = instant - stretch.from < DAY_MS ? today + 1 : today;
  let open = false;
  let unknown = false;
  let next = Infinity;
  for (let day = today - 1; day <= last; day++) {
    for (const span of hoursOfDay(table, day)) {
      const start = clock.instantOf(day * DAY_MINUTES + span[0]);
      const end = clock.instantOf(day * DAY_MINUTES + span[1]);
      if (end <= instant) continue;
      next = Math.min(next, start > instant ? start : end);
      if (start > instant) continue;
      if (span[2] === undefined) open = true;
      else unknown = true;
    }
  }
  let following = last + 1;
  if (next === Infinity)
    while (following < table.end && hoursOfDay(table, following).length === 0) following++;
  return {
    open: open || (unknown ? null : false),
    next: Math.min(next, clock.instantOf(following * DAY_MINUTES)),
  };
}

/** Returns null where the hours do not cover the instant. */
function timetable(compiled: CompiledHours, timezone: string, instant: number): Timetable | null {
  if (compiled.doubtful === true) return null;
  const clock = zoneClock(timezone);
  const dates = datedHours(compiled);
  const today = Math.floor(clock.localAt(instant) / DAY_MS);
  if (dates !== null && (today < dates.from || today >= dates.until)) return null;
  return { week: compiled.week, dates, clock, end: dates?.until ?? today + REPEAT_DAYS };
}

/** Last result of `openAt` for some hours. It only changes with a minute, and many places have the same hours. */
interface OpenMinute {
  readonly timezone: string;
  readonly minute: number;
  readonly open: boolean | null;
  /** Undefined while only `open` is known. */
  readonly until: Date | null | undefined;
}

const latest = new WeakMap<CompiledHours, OpenMinute>();

function findLatest(compiled: CompiledHours, timezone: string, instant: Date): OpenMinute | undefined {
  const found = latest.get(compiled);
  return found?.minute === Math.floor(instant.getTime() / MINUTE_MS) && found.timezone === timezone
    ? found
    : undefined;
}

function keepLatest(
  compiled: CompiledHours,
  timezone: string,
  instant: Date,
  state: Pick<OpenMinute, 'open' | 'until'>,
): void {
  latest.set(compiled, { timezone, minute: Math.floor(instant.getTime() / MINUTE_MS), ...state });
}

/** Computes whether a place is open at an instant, and until when, without parsing the text again. */
export function openAt(compiled: CompiledHours, timezone: string, instant: Date): OpenAt {
  const cached = findLatest(compiled, timezone, instant);
  if (cached?.until !== undefined) return { open: cached.open, until: cached.until };
  const state = computeOpenAt(compiled, timezone, instant.getTime());
  keepLatest(compiled, timezone, instant, state);
  return state;
}

function computeOpenAt(compiled: CompiledHours, timezone: string, instant: number): OpenAt {
  const table = timetable(compiled, timezone, instant);
  if (table === null) return { open: null, until: null };
  const { open, next } = momentAt(table, instant);
  const end = table.clock.instantOf(table.end * DAY_MINUTES);
  for (let change = next; change < end;) {
    const moment = momentAt(table, change);
    if (moment.open !== open) return { open, until: new Date(change) };
    change = moment.next;
  }
  return { open, until: null };
}

/** Like `openAt` without the end, for lists that do not need it. */
export function isOpenAt(compiled: CompiledHours, timezone: string, instant: Date): boolean | null {
  const cached = findLatest(compiled, timezone, instant);
  if (cached !== undefined) return cached.open;
  const table = timetable(compiled, timezone, instant.getTime());
  const open = table === null ? null : momentAt(table, instant.getTime()).open;
  keepLatest(compiled, timezone, instant, { open, until: undefined });
  return open;
}
