import { DAY_MS } from '../../../core/time.ts';

/**
 * Minutes since the midnight of the local day on which the span begins: start to before end. An end past 1440 lies
 * in the small hours of the next day. A third element marks hours that were stated without certainty.
 */
export type Span =
  readonly [start: number, end: number] | readonly [start: number, end: number, certainty: 'unknown'];

export type DayHours = readonly Span[];

/** Seven days, Monday first. */
export type WeekHours = readonly DayHours[];

/** A stretch of local days, `until` excluded, in which another week holds. Days are YYYY-MM-DD. */
export interface Season {
  readonly from: string;
  readonly until: string;
  readonly week: WeekHours;
}

/** Opening hours made ready for arithmetic; plain JSON, so that it is stored as it stands. */
export interface CompiledHours {
  /** The ordinary week: what holds wherever no season and no exception says otherwise. */
  readonly week: WeekHours;
  readonly seasons?: readonly Season[];
  /** Single local days (YYYY-MM-DD) that differ: public holidays, dated rules. They win over seasons. */
  readonly exceptions?: Readonly<Record<string, DayHours>>;
  /** The local days that were worked out, `until` excluded. Both are absent when the week holds for ever. */
  readonly from?: string;
  readonly until?: string;
  /** The text can be read in more than one way, so nobody may be told that the place is open or closed. */
  readonly doubtful?: true;
  /** The text has rules for holidays whose dates are not known here; the ordinary week stands on those days. */
  readonly holidays_unknown?: true;
}

export const DAY_MINUTES = 1440;

const MONDAY_OF_EPOCH = 3;

/** A local day as the number of days since 1970-01-01, which is how days are counted here. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** A local minute since 1970-01-01T00:00 as people write it: YYYY-MM-DDTHH:mm. */
export function localTime(minute: number): string {
  const day = Math.floor(minute / DAY_MINUTES);
  const ofDay = minute - day * DAY_MINUTES;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${dateOfDay(day)}T${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`;
}

/** 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + MONDAY_OF_EPOCH) % 7) + 7) % 7;
}
