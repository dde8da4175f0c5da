import {
  DAY_MINUTES,
  dateOfDay,
  dayNumber,
  weekdayOf,
} from '../../../directory/hours/compile/compiled-hours.ts';
import { WEEKDAYS } from '../lexicon.ts';
import type { Clock } from './read-clock.ts';

/** The moment that a question is about, as minutes on the wall clock of the destination. */
export interface AskedTime {
  minute: number;
  now: boolean;
}

/** What a question says about time, and which of it the moment stands for. */
export interface ReadTime {
  /** Undefined where no time was asked for, or one that is over. */
  time: AskedTime | undefined;
  /** Whether a time was asked for that is over. */
  past: boolean;
  /** Which of the words of time the moment stands for; the others were not looked at. */
  used: ReadonlySet<string>;
}

interface Part {
  /** When people go, where they name no hour. Past midnight is the night of the day that was named. */
  minute: number;
  /** From when until when it may be called so. */
  from: number;
  to: number;
}

const hour = (at: number, from: number, to: number): Part => ({
  minute: at * 60,
  from: from * 60,
  to: to * 60,
});

/** Where several are named, as in "late dinner tonight", the first of these counts. */
const PARTS: Readonly<Record<string, Part>> = {
  around_clock: hour(27.5, 0, 30),
  small_hours: hour(27.5, 0, 30),
  midnight: hour(24.5, 23, 29),
  late: hour(23, 21, 30),
  breakfast: hour(8.5, 5, 12),
  late_morning: hour(11, 9, 14),
  lunch: hour(12.5, 11, 16),
  dinner: hour(19.5, 17, 29),
  tonight: hour(19.5, 16, 30),
  afternoon: hour(15.5, 12, 19),
  evening: hour(20, 16, 30),
  morning: hour(9.5, 4, 12.5),
};
const EVENING_PARTS = new Set([
  'dinner',
  'tonight',
  'evening',
  'late',
  'midnight',
  'small_hours',
  'around_clock',
]);
/** Parts of the day that begin later for those who go dancing. */
const NIGHT_OUT = new Set(['evening', 'tonight']);
const SATURDAY = 5;
const WEEK = 7;
const NOON = 12 * 60;
const NIGHT_ENDS = 5 * 60;

/** When people go to places of some kind. */
export interface Habit {
  /** Where only a day is named. */
  minute: number;
  /** A bare hour below this one means the later half of the day: "a pub at 8". */
  laterBelow: number;
  /** Where only the evening is named. */
  evening?: number;
}
export const HABITS = {
  brunch: { minute: 11 * 60, laterBelow: 6 * 60 },
  early: { minute: 12 * 60 + 30, laterBelow: 6 * 60 },
  day: { minute: 12 * 60 + 30, laterBelow: 8 * 60 },
  evening: { minute: 21 * 60, laterBelow: NOON },
  night: { minute: 23 * 60, laterBelow: NOON, evening: 23 * 60 },
} as const satisfies Record<string, Habit>;
/** Somebody who asks about half past seven a little later still means this evening. */
const GRACE = 30;

/** `habit` is when people go to such places, where the question leaves it open. */
export function readTime(said: ReadonlySet<string>, clock: Clock, localNow: number, habit: Habit): ReadTime {
  if (clock.ahead !== undefined) {
    const ahead = { minute: localNow + clock.ahead, now: false };
    return { time: ahead, past: false, used: usedFor(ahead, said, undefined) };
  }
  const today = Math.floor(localNow / DAY_MINUTES);
  const { day, word } = dayOf(said, clock, today);
  const part = Object.keys(PARTS).find((one) => said.has(one));
  const ofDay = minuteOfDay(said, clock, part, habit);
  if (day === undefined && ofDay === undefined && !said.has('now'))
    return { time: undefined, past: false, used: new Set() };
  const time = momentOf({
    said,
    word,
    day,
    ofDay,
    part,
    localNow,
    usual: habit.minute,
    exact: clock.minute !== undefined,
  });
  if (time === undefined) return { time, past: true, used: new Set() };
  return { time, past: false, used: usedFor(time, said, word) };
}

interface Spoken {
  said: ReadonlySet<string>;
  /** The word that names the day. */
  word: string | undefined;
  day: number | undefined;
  ofDay: number | undefined;
  part: string | undefined;
  localNow: number;
  usual: number;
  /** Whether an hour was named. */
  exact: boolean;
}

/** The moment that is meant, which is never over: undefined where only one that is over can be. */
function momentOf({ said, word, day, ofDay, part, localNow, usual, exact }: Spoken): AskedTime | undefined {
  const today = Math.floor(localNow / DAY_MINUTES);
  const asNow = { minute: localNow, now: true };
  const at = (ahead: number, minute: number) => ({ minute: ahead * DAY_MINUTES + minute, now: false });
  if (day !== undefined && day < today) return undefined;
  if (ofDay === undefined) {
    const isAhead = day !== undefined && day * DAY_MINUTES + usual > localNow;
    return isAhead && word !== 'today' && !said.has('now') ? at(day, usual) : asNow;
  }
  const local = localNow - today * DAY_MINUTES;
  if (day !== undefined && day !== today) return at(day, ofDay);
  // In the small hours, tonight is the night that has not ended yet.
  const inNight = part !== undefined && EVENING_PARTS.has(part) && !exact;
  if (inNight && (local < NIGHT_ENDS || local > ofDay)) return asNow;
  if (ofDay >= local) return at(today, ofDay);
  if (local - ofDay <= GRACE) return asNow;
  if (word === 'weekend' && weekdayOf(today) === SATURDAY) return at(today + 1, ofDay);
  if (word === 'weekend' || WEEKDAYS.includes(word ?? '')) return at(today + WEEK, ofDay);
  return day === undefined ? at(today + 1, ofDay) : undefined;
}

/** The day that was named, and by which word. */
function dayOf(
  said: ReadonlySet<string>,
  { date }: Clock,
  today: number,
): { day: number | undefined; word: string | undefined } {
  if (date !== undefined) return { day: dayNumber(date), word: undefined };
  const weekday = WEEKDAYS.find((name) => said.has(name));
  const ahead = (days: number, word: string) => ({ day: today + days, word });
  if (weekday !== undefined) {
    const days = (WEEKDAYS.indexOf(weekday) - weekdayOf(today) + WEEK) % WEEK;
    return ahead(days === 0 && said.has('next') ? WEEK : days, weekday);
  }
  if (said.has('day_after')) return ahead(2, 'day_after');
  if (said.has('tomorrow')) return ahead(1, 'tomorrow');
  if (said.has('weekend')) return ahead(Math.max(0, SATURDAY - weekdayOf(today)), 'weekend');
  if (said.has('today')) return ahead(0, 'today');
  return said.has('tonight') ? ahead(0, 'tonight') : { day: undefined, word: undefined };
}

/** Minutes since midnight of the day that was named: by the clock, else by the part of the day. */
function minuteOfDay(
  said: ReadonlySet<string>,
  clock: Clock,
  part: string | undefined,
  habit: Habit,
): number | undefined {
  if (clock.minute === undefined) {
    if (part === undefined || said.has('now')) return undefined;
    return (NIGHT_OUT.has(part) ? habit.evening : undefined) ?? PARTS[part]?.minute;
  }
  let { minute } = clock;
  if (clock.halfDay && minute < NOON && isLaterHalf(said, clock, habit)) minute += NOON;
  // A meal after midnight on a named evening belongs to the night that follows.
  const night = said.has('tonight') || said.has('late') || said.has('evening');
  return minute < NIGHT_ENDS && night ? minute + DAY_MINUTES : minute;
}

function isLaterHalf(said: ReadonlySet<string>, { minute = 0, literal }: Clock, habit: Habit): boolean {
  if (['breakfast', 'morning', 'late_morning'].some((part) => said.has(part))) return false;
  if ([...EVENING_PARTS].some((part) => said.has(part)) || said.has('afternoon')) return true;
  if (said.has('lunch')) return minute < 10 * 60;
  return !literal && minute < habit.laterBelow;
}

/** "breakfast, then dinner": only what the moment may be called was looked at. */
function usedFor(
  { minute, now }: AskedTime,
  said: ReadonlySet<string>,
  word: string | undefined,
): Set<string> {
  const day = Math.floor(minute / DAY_MINUTES);
  const used = new Set(word === undefined ? [] : [word]);
  for (const one of said) {
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

/** YYYY-MM-DDTHH:mm on the clocks of the destination. */
export function localTimeText(minute: number): string {
  return `${dateOfDay(Math.floor(minute / DAY_MINUTES))}T${clockText(minute)}`;
}

export function clockText(minute: number): string {
  const ofDay = minute - Math.floor(minute / DAY_MINUTES) * DAY_MINUTES;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}
