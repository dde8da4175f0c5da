import { memoize } from '../../../core/memory/memoize-text.ts';
import { DAY_MS } from '../../../core/time.ts';

/**
 * Minutes since midnight of the local day on which the span begins, end excluded. An end past 1440 is in the early
 * hours of the next day. A third element marks hours that were stated as uncertain.
 */
export type MinuteSpan =
  readonly [start: number, end: number] | readonly [start: number, end: number, certainty: 'unknown'];

export type DayHours = readonly MinuteSpan[];

/** Seven days, Monday first. */
export type WeekHours = readonly DayHours[];

/** A period of local days, `until` excluded, with another week. Days are YYYY-MM-DD. */
interface Season {
  readonly from: string;
  readonly until: string;
  readonly week: WeekHours;
}

/** Opening hours prepared for arithmetic; plain JSON, so that they are stored as they are. */
export interface CompiledHours {
  /** The ordinary week, which applies outside seasons and exceptions. */
  readonly week: WeekHours;
  readonly seasons?: readonly Season[];
  /** Single local days (YYYY-MM-DD) that differ: public holidays, dated rules. They override seasons. */
  readonly exceptions?: Readonly<Record<string, DayHours>>;
  /** The compiled window of local days, `until` excluded. Both are absent when the week applies for ever. */
  readonly from?: string;
  readonly until?: string;
  /** The text is ambiguous, so that the place is reported neither as open nor as closed. */
  readonly doubtful?: true;
  /** The text has rules for holidays whose dates are unknown here; the ordinary week applies on those days. */
  readonly holidays_unknown?: true;
}

export const DAY_MINUTES = 1440;

export const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const MONDAY_OF_EPOCH = 3;

/** Converts a local day to the number of days since 1970-01-01, by which days are counted here. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

const DATES_MAX = 5_000;

export const dateOfDay = memoize(
  (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10),
  DATES_MAX,
);

export function formatClock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** Formats the time of day of a local minute since 1970-01-01T00:00. */
export function clockText(minute: number): string {
  return formatClock(minute - Math.floor(minute / DAY_MINUTES) * DAY_MINUTES);
}

/** Formats such a minute as YYYY-MM-DDTHH:mm. */
export function formatLocalMinute(minute: number): string {
  return `${dateOfDay(Math.floor(minute / DAY_MINUTES))}T${clockText(minute)}`;
}

/** Weekday of a day; 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + MONDAY_OF_EPOCH) % 7) + 7) % 7;
}
