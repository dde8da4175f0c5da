export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Whether a moment can be kept: PostgreSQL knows no year 0, and does not read how Date writes years from 10000 on. */
export function isKeepable(at: Date): boolean {
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** Whether a text is a day that there is, as YYYY-MM-DD. Date alone reads 31 February as a day of March. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return isKeepable(at) && at.toISOString().startsWith(`${text}T`);
}
