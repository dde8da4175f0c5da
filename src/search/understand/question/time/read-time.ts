import { DAY_MINUTES, dayNumber, weekdayOf } from '../../../../directory/hours/compile/compiled-hours.ts';
import dayParts from '../../lexicon/day-parts.json' with { type: 'json' };
import { WEEKDAYS } from '../../lexicon/lexicon.ts';
import type { ClockTime } from './read-clock.ts';

/** Time that a question is about, in minutes on the local clock of the destination. */
export interface AskedTime {
  minute: number;
  now: boolean;
  /** True for "before 8": the minute is the last one before. */
  before?: boolean;
}

/** Time in a question, and the words that it covers. */
interface ReadTime {
  /** Undefined when no time was requested, or one that has passed. */
  time: AskedTime | undefined;
  past: boolean;
  /** Time words that the requested time covers; the others were ignored. */
  used: ReadonlySet<string>;
}

interface Part {
  /** Typical time when no hour is named. Values past midnight belong to the night of the named day. */
  minute: number;
  /** Range in which the name of this part applies. */
  from: number;
  to: number;
}

/** When several are named, as in "late dinner tonight", the first of these counts. Times are in hours. */
const PARTS: Readonly<Record<string, Part>> = Object.fromEntries(
  Object.entries(dayParts).map(([name, hours]) => {
    const [minute = 0, from = 0, to = 0] = hours.map((hour) => hour * 60);
    return [name, { minute, from, to }];
  }),
);
const EVENING_PARTS = new Set('dinner tonight evening late midnight small_hours around_clock'.split(' '));
/** Parts of the day that mean the coming evening in the small hours, when the last one is over. */
const COMING = new Set(['dinner', 'evening']);
/** Parts of the day that begin later for nightclubs. */
const NIGHT_OUT = new Set(['evening', 'tonight']);
const SATURDAY = 5;
const WEEK = 7;
const NOON = 12 * 60;
const NIGHT_ENDS = 5 * 60;

/** Typical visiting times for a kind of place. */
export interface Habit {
  /** Used when only a day is named. */
  minute: number;
  /** A bare hour below this one means the later half of the day: "a pub at 8". */
  laterBelow: number;
  /** Used when only the evening is named. */
  evening?: number;
}
export const HABITS = {
  brunch: { minute: 11 * 60, laterBelow: 6 * 60 },
  early: { minute: 12 * 60 + 30, laterBelow: 6 * 60 },
  day: { minute: 12 * 60 + 30, laterBelow: 8 * 60 },
  evening: { minute: 21 * 60, laterBelow: NOON },
  night: { minute: 23 * 60, laterBelow: NOON, evening: 23 * 60 },
} as const satisfies Record<string, Habit>;
/**
 * Minutes for which a time that has just passed still means today: at 19:40, "at half past seven" means this
 * evening, not tomorrow.
 */
const GRACE = 30;

/** Reads the time of a question. `habit` fills in what the question leaves open. */
export function readTime(
  words: ReadonlySet<string>,
  clock: ClockTime,
  localNow: number,
  habit: Habit,
): ReadTime {
  if (clock.ahead !== undefined) {
    const ahead = { minute: localNow + clock.ahead, now: false };
    return { time: ahead, past: false, used: usedFor(ahead, words, undefined) };
  }
  const today = Math.floor(localNow / DAY_MINUTES);
  const { day, word } = dayOf(words, clock, today);
  const part = Object.keys(PARTS).find((one) => words.has(one));
  const ofDay = minuteOfDay(words, clock, part, habit);
  if (day === undefined && ofDay === undefined && !words.has('now'))
    return { time: undefined, past: false, used: new Set() };
  const exact = clock.minute !== undefined;
  const time = momentOf({ words, word, day, ofDay, part, exact }, localNow, habit.minute);
  if (time === undefined) return { time, past: true, used: new Set() };
  const asked = clock.before && !time.now ? { ...time, before: true } : time;
  return { time: asked, past: false, used: usedFor(time, words, word) };
}

interface TimeParts {
  words: ReadonlySet<string>;
  /** The word that names the day. */
  word: string | undefined;
  day: number | undefined;
  ofDay: number | undefined;
  part: string | undefined;
  exact: boolean;
}

/** Returns the requested time, which is never in the past; undefined when only a past time is possible. */
function momentOf(named: TimeParts, localNow: number, usual: number): AskedTime | undefined {
  const { words, word, day, ofDay, part, exact } = named;
  const today = Math.floor(localNow / DAY_MINUTES);
  const asNow = { minute: localNow, now: true };
  const at = (ahead: number, minute: number) => ({ minute: ahead * DAY_MINUTES + minute, now: false });
  if (day !== undefined && day < today) return undefined;
  if (ofDay === undefined) {
    const isAhead = day !== undefined && day * DAY_MINUTES + usual > localNow;
    return isAhead && word !== 'today' && !words.has('now') ? at(day, usual) : asNow;
  }
  const local = localNow - today * DAY_MINUTES;
  if (day !== undefined && day !== today) return at(day, ofDay);
  // In the small hours, "tonight" is the night that has not ended yet, but dinner is over.
  const inNight = part !== undefined && EVENING_PARTS.has(part) && !exact;
  const isOver = part !== undefined && COMING.has(part) && !words.has('tonight');
  if (inNight && ((local < NIGHT_ENDS && !isOver) || local > ofDay)) return asNow;
  if (ofDay >= local) return at(today, ofDay);
  if (local - ofDay <= GRACE) return asNow;
  if (word === 'weekend' && weekdayOf(today) === SATURDAY) return at(today + 1, ofDay);
  if (word === 'weekend' || WEEKDAYS.includes(word ?? '')) return at(today + WEEK, ofDay);
  return day === undefined ? at(today + 1, ofDay) : undefined;
}

/** Returns the named day and the word that names it. */
function dayOf(
  words: ReadonlySet<string>,
  { date }: ClockTime,
  today: number,
): { day: number | undefined; word: string | undefined } {
  if (date !== undefined) return { day: dayNumber(date), word: undefined };
  const weekday = WEEKDAYS.find((name) => words.has(name));
  const ahead = (days: number, word: string) => ({ day: today + days, word });
  if (weekday !== undefined) {
    const days = (WEEKDAYS.indexOf(weekday) - weekdayOf(today) + WEEK) % WEEK;
    return ahead(days === 0 && words.has('next') ? WEEK : days, weekday);
  }
  if (words.has('day_after')) return ahead(2, 'day_after');
  if (words.has('tomorrow')) return ahead(1, 'tomorrow');
  if (words.has('weekend')) return ahead(Math.max(0, SATURDAY - weekdayOf(today)), 'weekend');
  if (words.has('today')) return ahead(0, 'today');
  return words.has('tonight') ? ahead(0, 'tonight') : { day: undefined, word: undefined };
}

/** Returns minutes since midnight of the named day, from the clock time or else from the part of the day. */
function minuteOfDay(
  words: ReadonlySet<string>,
  clock: ClockTime,
  part: string | undefined,
  habit: Habit,
): number | undefined {
  if (clock.minute === undefined) {
    if (part === undefined || words.has('now')) return undefined;
    return (NIGHT_OUT.has(part) ? habit.evening : undefined) ?? PARTS[part]?.minute;
  }
  let { minute } = clock;
  if (clock.halfDay && minute < NOON && isLaterHalf(words, clock, habit)) minute += NOON;
  // A time after midnight on a named evening belongs to the following night.
  const night = words.has('tonight') || words.has('late') || words.has('evening');
  return minute < NIGHT_ENDS && night ? minute + DAY_MINUTES : minute;
}

function isLaterHalf(
  words: ReadonlySet<string>,
  { minute = 0, literal, before }: ClockTime,
  habit: Habit,
): boolean {
  if (['breakfast', 'morning', 'late_morning'].some((part) => words.has(part))) return false;
  if ([...EVENING_PARTS].some((part) => words.has(part)) || words.has('afternoon')) return true;
  if (words.has('lunch')) return minute < 10 * 60;
  // "Open before 8" asks for the morning, whatever the kind of place.
  if (before && minute >= NIGHT_ENDS) return false;
  return !literal && minute < habit.laterBelow;
}

/** Returns the words that apply to the requested time: in "breakfast, then dinner" only one of them does. */
function usedFor(
  { minute, now }: AskedTime,
  words: ReadonlySet<string>,
  word: string | undefined,
): Set<string> {
  const day = Math.floor(minute / DAY_MINUTES);
  const used = new Set(word === undefined ? [] : [word]);
  for (const one of words) {
    const part = PARTS[one];
    const spans = [day, day - 1].map((start) => minute - start * DAY_MINUTES);
    if (part !== undefined && spans.some((at) => part.from <= at && at <= part.to)) used.add(one);
    if (WEEKDAYS.indexOf(one) === weekdayOf(day)) used.add(one);
    if (one === 'weekend' && weekdayOf(day) >= SATURDAY) used.add(one);
    if ((one === 'now' || one === 'today') && now) used.add(one);
    if (one === 'next' && WEEKDAYS.includes(word ?? '')) used.add(one);
  }
  if (word === 'today' || word === 'tonight') used.add('today').add('tonight');
  return used;
}
