import { dateOfDay, DAY_MINUTES } from '../directory/hours/compile/compiled-hours.ts';
import { localMinuteOf } from '../directory/hours/zone-clock.ts';

/** Days ahead for which tables can be requested and offered. */
export const DAYS_AHEAD = 90;

/** Returns the last date, local to the place, for which a table can be requested or offered now. */
export function lastBookingDate(timezone: string, now: Date): string {
  return localDate(timezone, now, DAYS_AHEAD);
}

/** Returns the day YYYY-MM-DD at a place, or the one some days later. */
export function localDate(timezone: string, now: Date, daysLater = 0): string {
  return dateOfDay(Math.floor(localMinuteOf(timezone, now) / DAY_MINUTES) + daysLater);
}
