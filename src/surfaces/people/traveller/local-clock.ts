import { memoizeText } from '../../../core/memory/memoize-text.ts';

/**
 * More than the number of time zones with destinations. Formatters are cached because creating one takes longer than
 * rendering the rest of a list entry.
 */
const ZONES_MAX = 500;
const TIME = { hour: '2-digit', minute: '2-digit' } as const;

function clocks(options: Intl.DateTimeFormatOptions): (timeZone: string) => Intl.DateTimeFormat {
  return memoizeText((timeZone) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone }), ZONES_MAX);
}

const hour = clocks(TIME);
const dayAndHour = clocks({ ...TIME, weekday: 'short' });
const today = clocks({ ...TIME, weekday: 'long' });
const wholeDay = clocks({ ...TIME, weekday: 'long', day: 'numeric', month: 'long' });
const offset = clocks({ timeZoneName: 'longOffset' });
const date = clocks({ day: 'numeric', month: 'long', year: 'numeric' });

const HALF_DAY_MS = 43_200_000;

/** Formats a future time in local time, with the weekday unless it is within half a day. */
export function clockAt(at: Date, timeZone: string, now: Date): string {
  const isNear = at.getTime() - now.getTime() < HALF_DAY_MS;
  return (isNear ? hour : dayAndHour)(timeZone).format(at);
}

/** Formats the local weekday and time. */
export function localTime(now: Date, timeZone: string): string {
  return today(timeZone).format(now);
}

/** Formats local day and time: Friday 20 November at 18:00. */
export function localDayAndTime(at: Date, timeZone: string): string {
  return wholeDay(timeZone).format(at);
}

/** Returns the UTC offset of the zone at that time. */
export function zoneOffset(now: Date, timeZone: string): string {
  const parts = offset(timeZone).formatToParts(now);
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return zone === 'GMT' ? 'UTC+00:00' : zone.replace('GMT', 'UTC');
}

/** Formats a time as a date in the place's time zone: 3 August 2026. */
export function dateOf(moment: string | Date, timeZone: string): string {
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) ? 'on an unknown date' : date(timeZone).format(at);
}
