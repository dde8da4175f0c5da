export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A time of day as HH:mm. */
export const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** True when PostgreSQL can store a time: it has no year 0, and cannot parse Date's format of years from 10000 on. */
export function isStorableDate(at: Date): boolean {
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** True when a text is an existing day as YYYY-MM-DD. Date alone reads 31 February as a day of March. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return isStorableDate(at) && at.toISOString().startsWith(`${text}T`);
}
