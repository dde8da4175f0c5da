import {
  type CompiledHours,
  DAY_MINUTES,
  type DayHours,
  type Span,
  dateOfDay,
  weekdayOf,
} from './compiled-hours.ts';
import { createNightReader, readDay, withEnd } from './osm/day-spans.ts';
import { foldDays } from './fold-days.ts';
import { STAND_IN_COUNTRY, publicHolidays } from './osm/holiday-calendar.ts';
import {
  isCanonical,
  isDoubtful,
  mayRunPastMidnight,
  mayStartAtMidnight,
  normaliseHours,
  onlyWeekdaysAndHolidays,
} from './hours-text.ts';
import {
  type HoursPlace,
  type OsmHours,
  isMissingHolidays,
  libraryDoubts,
  parseOsmHours,
  withWork,
} from './osm/osm-hours-library.ts';
import { WorkExhausted } from './osm/wall-clock-date.ts';
import { localMinuteOf } from './zone-clock.ts';

/** How far ahead holidays, seasons and dated rules are worked out; a long way, since hours are compiled rarely. */
export const HORIZON_DAYS = 400;
/** With less than this ahead, a value that costs too much is given up rather than compiled for a few days. */
const HORIZON_DAYS_MIN = 35;
/** About a tenth of a microsecond each: some 15 ms for the worst value. */
const WORK_MAX = 150_000;
const WEEK_DAYS = 7;
const SCHOOL_HOLIDAY = /\bSH\b/;
const SCHOOL_HOLIDAYS = /\bSH\b/g;

export interface HoursContext extends HoursPlace {
  readonly now: Date;
}

interface Reading {
  readonly hours: OsmHours;
  readonly place: HoursPlace;
  readonly text: string;
  /** Null where the text has rules for holidays whose dates are not known. */
  readonly holidays: ReadonlySet<number> | null;
  readonly repeats: boolean;
}

/**
 * Compiles a value in OSM's opening_hours syntax. Null means that it could not be read, and its text is all there is.
 * It never throws, and what it costs is bounded by counting, not by a clock, so that it is the same everywhere.
 */
export function compileHours(text: string, context: HoursContext): CompiledHours | null {
  const normal = normaliseHours(text);
  if (normal === null) return null;
  const today = Math.floor(localMinuteOf(context.timezone, context.now) / DAY_MINUTES);
  // Yesterday's night may still be going on.
  const from = today - 1;
  const known = publicHolidays(context, from - WEEK_DAYS, today + HORIZON_DAYS + WEEK_DAYS, context.now);
  try {
    return withWork(WORK_MAX, context.now, context.timezone, () => {
      const reading = readText(normal, context, known);
      const compiled = reading.repeats ? compileWeek(reading, from) : compileDays(reading, from, today);
      if (compiled === null) return null;
      return {
        ...compiled,
        ...(isDoubtful(normal, compiled) || (!isCanonical(normal) && libraryDoubts(reading.hours))
          ? { doubtful: true as const }
          : {}),
        ...(reading.holidays === null ? { holidays_unknown: true as const } : {}),
      };
    });
  } catch {
    return null;
  }
}

/**
 * The library refuses rules for holidays that it has no dates of: public ones of most countries, school ones of
 * nearly all. Then it is asked for a country that has a single holiday, and not about the days near that one.
 */
function readText(text: string, context: HoursContext, known: ReadonlySet<number> | null): Reading {
  if (!SCHOOL_HOLIDAY.test(text)) {
    try {
      const hours = parseOsmHours(text, context);
      const repeats = hours.isWeekStable();
      return { hours, place: context, text, holidays: known ?? new Set(), repeats };
    } catch (error) {
      if (!isMissingHolidays(error)) throw error;
    }
  }
  const place = { ...context, country: STAND_IN_COUNTRY };
  const hours = parseOsmHours(text.replaceAll(SCHOOL_HOLIDAYS, 'PH'), place);
  const repeats = hours.isWeekStable() || onlyWeekdaysAndHolidays(text);
  return { hours, place, text, holidays: null, repeats };
}

/** New Year's Day is the stand-in's one holiday; the same weekday a week later answers for the days around it. */
function avoidStandInHoliday(day: number): number {
  const date = dateOfDay(day).slice(5);
  return date === '12-31' || (date >= '01-01' && date <= '01-03') ? day + WEEK_DAYS : day;
}

/** Two days with the same key have the same hours, so that only one of them need be read. */
function dayKeys(reading: Reading): (day: number) => number {
  const { holidays, text, repeats } = reading;
  if (repeats) return weekdayOf;
  if (holidays === null || !onlyWeekdaysAndHolidays(text)) return (day) => day;
  // A night runs over into the next day, and a rule may speak of the day before or after a holiday.
  const offsets = [
    0,
    ...(mayRunPastMidnight(text) ? [-1] : []),
    ...(text.includes('day') ? [-2, -1, 1] : []),
  ];
  return (day) =>
    offsets.reduce((key, offset) => key * 2 + (holidays.has(day + offset) ? 1 : 0), 1) * WEEK_DAYS +
    weekdayOf(day);
}

interface DayReader {
  /** A day as it stands in the text, minutes 0 to 1440. */
  readonly day: (day: number) => DayHours;
  /** The small hours of the next day that the rule at the end of a day runs into, whatever other rules say. */
  readonly night: (day: number) => Span | null;
  /** Whether small hours that follow no evening can be meant. */
  readonly startsAtMidnight: boolean;
}

function createDayReader(reading: Reading): DayReader {
  const { hours, place, holidays, text } = reading;
  const keyOf = dayKeys(reading);
  const asked = (day: number): number => (holidays === null ? avoidStandInHoliday(day) : day);
  const readNight = createNightReader(hours, place);
  return {
    day: oncePerKey(keyOf, (day) => readDay(hours, asked(day))),
    night: mayRunPastMidnight(text) ? oncePerKey(keyOf, (day) => readNight(asked(day))) : () => null,
    startsAtMidnight: mayStartAtMidnight(text),
  };
}

function oncePerKey<T>(keyOf: (day: number) => number, read: (day: number) => T): (day: number) => T {
  const known = new Map<number, T>();
  return (day) => {
    const key = keyOf(day);
    let value = known.get(key);
    if (value === undefined) {
      value = read(day);
      known.set(key, value);
    }
    return value;
  };
}

/**
 * Gives each night to the day on which it began: the small hours move from the day after to the end of that day. In
 * "18:00-02:00; Mo off" the library leaves Monday's small hours to Tuesday; a day that is off has no night.
 */
function joinNights(read: DayReader, day: number): DayHours {
  const spans = [...read.day(day)];
  const evening = read.day(day - 1).at(-1);
  const orphaned = evening?.[1] !== DAY_MINUTES && !read.startsAtMidnight && isSmallHours(spans[0]);
  if (orphaned || continues(evening, spans[0])) spans.shift();
  const last = spans.at(-1);
  if (last?.[1] !== DAY_MINUTES || last[0] === 0) return spans;
  const next = read.day(day + 1)[0];
  const small = continues(last, next) ? next : read.night(day);
  return continues(last, small) ? spans.with(-1, withEnd(last, DAY_MINUTES + small[1])) : spans;
}

function isSmallHours(span: Span | undefined): boolean {
  return span?.[0] === 0 && span[1] < DAY_MINUTES;
}

/** Whether one night runs through midnight. What lasts longer than a day is no night, and midnight starts a day. */
function continues(late: Span | undefined, small: Span | null | undefined): small is Span {
  return late?.[1] === DAY_MINUTES && small?.[0] === 0 && small[2] === late[2] && small[1] <= late[0];
}

function compileWeek(reading: Reading, from: number): CompiledHours {
  const read = createDayReader(reading);
  const week: DayHours[] = [];
  for (let day = from; day < from + WEEK_DAYS; day++) week[weekdayOf(day)] = joinNights(read, day);
  return { week };
}

function compileDays(reading: Reading, from: number, today: number): CompiledHours | null {
  const read = createDayReader(reading);
  const days: DayHours[] = [];
  try {
    for (let day = from; day < today + HORIZON_DAYS; day++) days.push(joinNights(read, day));
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
