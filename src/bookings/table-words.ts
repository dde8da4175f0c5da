import type { Table } from './booking.ts';

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

/** A local date as people say it: Friday 20 November. */
export function dayWords(date: string): string {
  return DAY.format(new Date(`${date}T00:00:00Z`)).replace(',', '');
}

/** A table as people say it: a table for 4 on Friday 20 November at 19:30. */
export function tableWords({ date, time, partySize }: Table): string {
  return `a table for ${partySize} on ${dayWords(date)} at ${time}`;
}
