import {
  DAY_MINUTES,
  dateOfDay,
  dayNumber,
  weekdayOf,
} from '../../directory/hours/compile/compiled-hours.ts';
import type { Clock } from './read-clock.ts';

/** The moment that a question is about, as minutes on the wall clock of the destination. */
export interface AskedTime {
  minute: number;
  now: boolean;
}

/** When people go, where they name no hour. Past midnight is the night of the day that was named. */
const HOURS_OF: Readonly<Record<string, number>> = {
  breakfast: 8 * 60 + 30,
  morning: 9 * 60 + 30,
  late_morning: 11 * 60,
  lunch: 12 * 60 + 30,
  afternoon: 15 * 60 + 30,
  dinner: 19 * 60 + 30,
  tonight: 19 * 60 + 30,
  evening: 20 * 60,
  late: 23 * 60,
  midnight: 24 * 60 + 30,
  small_hours: 27 * 60 + 30,
};
/** Where several are named, as in "late dinner tonight", the first of these counts. */
const PART_ORDER = [
  'small_hours',
  'midnight',
  'late',
  'breakfast',
  'late_morning',
  'lunch',
  'dinner',
  'tonight',
  'afternoon',
  'evening',
  'morning',
];
const EVENING_PARTS = new Set(['dinner', 'tonight', 'evening', 'late', 'midnight', 'small_hours']);
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const SATURDAY = 5;
const NOON = 12 * 60;
const NIGHT_ENDS = 5 * 60;
const ANY_TIME = 12 * 60 + 30;
const ANY_EVENING = 21 * 60;
/** Somebody who asks about half past seven a little later still means this evening. */
const GRACE = 30;

/** Gives undefined where no time was asked for. `evening` says that such places are gone to in the evening. */
export function readTime(
  said: ReadonlySet<string>,
  clock: Clock,
  localNow: number,
  evening: boolean,
): AskedTime | undefined {
  const today = Math.floor(localNow / DAY_MINUTES);
  const day = dayOf(said, clock, today);
  const part = PART_ORDER.find((one) => said.has(one));
  const asNow = { minute: localNow, now: true };
  if (clock.minute !== undefined) return atClock(said, clock, { localNow, today, day, evening });
  if (said.has('now') || (day === today && part === undefined)) return asNow;
  if (part === undefined)
    return day === undefined
      ? undefined
      : { minute: day * DAY_MINUTES + (evening ? ANY_EVENING : ANY_TIME), now: false };
  const ofDay = localNow - today * DAY_MINUTES;
  const minute = HOURS_OF[part] ?? ANY_TIME;
  if (day !== undefined && day !== today) return { minute: day * DAY_MINUTES + minute, now: false };
  // In the small hours, tonight is the night that has not ended yet.
  if (EVENING_PARTS.has(part) && (ofDay < NIGHT_ENDS || ofDay > minute)) return asNow;
  const passed = ofDay > minute + GRACE;
  return { minute: (today + (passed ? 1 : 0)) * DAY_MINUTES + minute, now: false };
}

function dayOf(said: ReadonlySet<string>, { date }: Clock, today: number): number | undefined {
  if (date !== undefined) return dayNumber(date);
  const weekday = WEEKDAYS.findIndex((name) => said.has(name));
  if (weekday >= 0) return today + ((weekday - weekdayOf(today) + 7) % 7);
  if (said.has('tomorrow')) return today + 1;
  if (said.has('weekend')) return weekdayOf(today) >= SATURDAY ? today : today + SATURDAY - weekdayOf(today);
  return said.has('today') || said.has('tonight') ? today : undefined;
}

interface Around {
  localNow: number;
  today: number;
  day: number | undefined;
  evening: boolean;
}

function atClock(
  said: ReadonlySet<string>,
  clock: Clock,
  { localNow, today, day, evening }: Around,
): AskedTime {
  let minute = clock.minute ?? 0;
  if (clock.halfDay && minute < NOON && isLaterHalf(said, minute, evening)) minute += NOON;
  // A meal after midnight on a named evening belongs to the night that follows.
  if (minute < NIGHT_ENDS && (said.has('tonight') || said.has('late'))) minute += DAY_MINUTES;
  if (day !== undefined) return { minute: day * DAY_MINUTES + minute, now: false };
  const passed = today * DAY_MINUTES + minute < localNow - GRACE;
  return { minute: (today + (passed ? 1 : 0)) * DAY_MINUTES + minute, now: false };
}

function isLaterHalf(said: ReadonlySet<string>, minute: number, evening: boolean): boolean {
  if (['breakfast', 'morning', 'late_morning'].some((part) => said.has(part))) return false;
  if ([...EVENING_PARTS].some((part) => said.has(part)) || said.has('afternoon')) return true;
  if (said.has('lunch')) return minute < 10 * 60;
  return evening || minute < 8 * 60;
}

/** YYYY-MM-DDTHH:mm on the clocks of the destination. */
export function localTimeText(minute: number): string {
  return `${dateOfDay(Math.floor(minute / DAY_MINUTES))}T${clockText(minute)}`;
}

export function clockText(minute: number): string {
  const ofDay = minute - Math.floor(minute / DAY_MINUTES) * DAY_MINUTES;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}
