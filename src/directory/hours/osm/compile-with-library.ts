import {
  type CompiledHours,
  DAY_MINUTES,
  type DayHours,
  type MinuteSpan,
  dateOfDay,
  weekdayOf,
} from '../compile/compiled-hours.ts';
import { foldDays } from '../compile/fold-days.ts';
import { daysOfMonthThatMatter, isCanonical, mayRunPastMidnight, mayStartAtMidnight } from '../hours-text.ts';
import { createNightReader, readDay, withEnd } from './day-spans.ts';
import { type DayWindow, STAND_IN_COUNTRY, publicHolidays } from './holiday-calendar.ts';
import {
  type HoursContext,
  type HoursPlace,
  type OsmHours,
  isMissingHolidays,
  libraryDoubts,
  parseOsmHours,
  withWork,
} from './osm-hours-library.ts';
import { WorkExhausted } from './wall-clock-date.ts';
import { DAY_MS } from '../../../core/time.ts';

/** Minimum window; a value that is too expensive to compile this far is given up. */
const HORIZON_DAYS_MIN = 35;
/** Work limit. A unit is about a tenth of a microsecond: some 15 ms for the worst value. */
const WORK_MAX = 150_000;
const WEEK_DAYS = 7;
const MONTH_PARTS_MAX = 40;
const SEASONS_MAX = 12 * MONTH_PARTS_MAX;
const SCHOOL_HOLIDAYS = /\bSH\b/g;

interface LibraryHours {
  readonly hours: OsmHours;
  readonly place: HoursPlace;
  readonly text: string;
  /** Null where the text has rules for holidays whose dates are unknown. */
  readonly holidays: ReadonlySet<number> | null;
  readonly repeats: boolean;
}

/** Compiles any text that the library can read, for a window of days if it has dates; null otherwise. */
export function compileWithLibrary(
  text: string,
  context: HoursContext,
  window: DayWindow,
): CompiledHours | null {
  const holidays = publicHolidays(context, window, context.now);
  try {
    return withWork(WORK_MAX, context.now, context.timezone, () => {
      const reading = readText(text, context, holidays);
      // Checked first, while work is left for it.
      const doubtful = !isCanonical(text) && libraryDoubts(reading.hours);
      const compiled = reading.repeats ? compileWeek(reading, window) : compileDays(reading, window);
      return {
        ...compiled,
        ...(doubtful ? { doubtful: true as const } : {}),
        ...(reading.holidays === null ? { holidays_unknown: true as const } : {}),
      };
    });
  } catch {
    return null;
  }
}

/**
 * Parses a text. The library refuses rules for holidays without dates: public ones of most countries, school ones of
 * nearly all. The text is then parsed for a stand-in country with a single holiday, and the days near that holiday are
 * not read.
 */
function readText(text: string, context: HoursContext, holidays: ReadonlySet<number> | null): LibraryHours {
  const withoutSchool = text.replaceAll(SCHOOL_HOLIDAYS, 'PH');
  if (withoutSchool === text) {
    try {
      const hours = parseOsmHours(text, context);
      return { hours, place: context, text, holidays: holidays ?? new Set(), repeats: hours.isWeekStable() };
    } catch (error) {
      if (!isMissingHolidays(error)) throw error;
    }
  }
  const place = { ...context, country: STAND_IN_COUNTRY };
  const hours = parseOsmHours(withoutSchool, place);
  return {
    hours,
    place,
    text,
    holidays: null,
    repeats: hours.isWeekStable() || daysOfMonthThatMatter(text)?.length === 0,
  };
}

/** New Year's Day is the stand-in's only holiday; the days around it are read a week later, on the same weekday. */
function avoidStandInHoliday(day: number): number {
  const date = dateOfDay(day).slice(5);
  return date === '12-31' || (date >= '01-01' && date <= '01-03') ? day + WEEK_DAYS : day;
}

/** Returns a key function: days with the same key have the same hours, so that only one of them is read. */
function dayKeys({ holidays, text, repeats }: LibraryHours): (day: number) => number {
  if (repeats) return weekdayOf;
  const seasons = daysOfMonthThatMatter(text);
  if (seasons === null) return (day) => day;
  // A night continues into the next day, and a rule may refer to the day before or after a holiday.
  const offsets = [
    0,
    ...(mayRunPastMidnight(text) ? [-1] : []),
    ...(text.includes('day') ? [-2, -1, 1] : []),
  ];
  return (day) => {
    const nearHolidays = offsets.reduce(
      (key, step) => key * 2 + (holidays?.has(day + step) === true ? 1 : 0),
      1,
    );
    return (nearHolidays * SEASONS_MAX + seasonOf(day, seasons)) * WEEK_DAYS + weekdayOf(day);
  };
}

/** Returns a number for the month and the part of the month of a day. */
function seasonOf(day: number, daysThatMatter: readonly number[]): number {
  if (daysThatMatter.length === 0) return 0;
  const date = new Date(day * DAY_MS);
  const part = daysThatMatter.filter((start) => start <= date.getUTCDate()).length;
  return date.getUTCMonth() * MONTH_PARTS_MAX + part;
}

interface DayReader {
  /** Spans of a day as in the text, minutes 0 to 1440. */
  readonly day: (day: number) => DayHours;
  /** Early hours of the next day that belong to the last rule of a day, regardless of other rules. */
  readonly night: (day: number) => MinuteSpan | null;
  /** True when early hours may be meant without a preceding evening. */
  readonly startsAtMidnight: boolean;
}

function createDayReader(reading: LibraryHours): DayReader {
  const { hours, place, holidays, text } = reading;
  const keyOf = dayKeys(reading);
  const dayToRead = (day: number): number => (holidays === null ? avoidStandInHoliday(day) : day);
  const readNight = createNightReader(hours, place);
  return {
    day: oncePerKey(keyOf, (day) => readDay(hours, dayToRead(day))),
    night: mayRunPastMidnight(text) ? oncePerKey(keyOf, (day) => readNight(dayToRead(day))) : () => null,
    startsAtMidnight: mayStartAtMidnight(text),
  };
}

function oncePerKey<T>(keyOf: (day: number) => number, read: (day: number) => T): (day: number) => T {
  const values = new Map<number, T>();
  return (day) => values.getOrInsertComputed(keyOf(day), () => read(day));
}

/** Assigns each night to the day on which it began; in "18:00-02:00; Mo off" the library gives Monday's to Tuesday. */
function joinNights(read: DayReader, day: number): DayHours {
  const spans = [...read.day(day)];
  const evening = read.day(day - 1).at(-1);
  const isEarly = spans[0]?.[0] === 0 && spans[0][1] < DAY_MINUTES;
  const orphaned = evening?.[1] !== DAY_MINUTES && !read.startsAtMidnight && isEarly;
  if (orphaned || continues(evening, spans[0])) spans.shift();
  const last = spans.at(-1);
  if (last?.[1] !== DAY_MINUTES || last[0] === 0) return spans;
  const next = read.day(day + 1)[0];
  const early = continues(last, next) ? next : read.night(day);
  return continues(last, early) ? spans.with(-1, withEnd(last, DAY_MINUTES + early[1])) : spans;
}

/** True when one night spans midnight. A span of more than a day is no night, and midnight starts a day. */
function continues(late: MinuteSpan | undefined, early: MinuteSpan | null | undefined): early is MinuteSpan {
  return late?.[1] === DAY_MINUTES && early?.[0] === 0 && early[2] === late[2] && early[1] <= late[0];
}

function compileWeek(reading: LibraryHours, { from }: DayWindow): CompiledHours {
  const read = createDayReader(reading);
  const week: DayHours[] = [];
  for (let day = from; day < from + WEEK_DAYS; day++) week[weekdayOf(day)] = joinNights(read, day);
  return { week };
}

function compileDays(reading: LibraryHours, { from, until }: DayWindow): CompiledHours {
  const read = createDayReader(reading);
  const days: DayHours[] = [];
  try {
    for (let day = from; day < until; day++) days.push(joinNights(read, day));
  } catch (error) {
    if (!(error instanceof WorkExhausted) || days.length < HORIZON_DAYS_MIN) throw error;
  }
  const { week, seasons, exceptions } = foldDays(days, from);
  return {
    week,
    ...(seasons.length > 0 ? { seasons } : {}),
    ...(Object.keys(exceptions).length > 0 ? { exceptions } : {}),
    from: dateOfDay(from),
    until: dateOfDay(from + days.length),
  };
}
