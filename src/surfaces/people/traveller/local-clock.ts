import { remember } from '../../../core/memory/remember.ts';

/** More than there are zones with destinations. To make a formatter takes longer than all else in a line of a list. */
const ZONES_MAX = 500;
const TIME = { hour: '2-digit', minute: '2-digit' } as const;

function clocks(options: Intl.DateTimeFormatOptions): (timeZone: string) => Intl.DateTimeFormat {
  return remember((timeZone) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone }), ZONES_MAX);
}

const hour = clocks(TIME);
const dayAndHour = clocks({ ...TIME, weekday: 'short' });
const today = clocks({ ...TIME, weekday: 'long' });
const offset = clocks({ timeZoneName: 'longOffset' });

const HALF_DAY_MS = 43_200_000;

/** The local clock at a moment to come; with the weekday when it is not within hours. */
export function clockAt(at: Date, timeZone: string, now: Date): string {
  const isNear = at.getTime() - now.getTime() < HALF_DAY_MS;
  return (isNear ? hour : dayAndHour)(timeZone).format(at);
}

/** Weekday and time of a zone. */
export function localTime(now: Date, timeZone: string): string {
  return today(timeZone).format(now);
}

/** How far the zone is from UTC at that moment. */
export function zoneOffset(now: Date, timeZone: string): string {
  const parts = offset(timeZone).formatToParts(now);
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return zone === 'GMT' ? 'UTC+00:00' : zone.replace('GMT', 'UTC');
}
