/** The first day of a calendar month UTC, as `2026-11-01`: the month that calls are counted in. */
export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}

/** The moment at which the month ends and the next begins. */
export function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

/** The first days of the months up to and with this one, the oldest first. */
export function monthsUpTo(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - i), 1))),
  );
}
