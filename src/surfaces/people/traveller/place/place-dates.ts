/** Formats a time as a date in the place's time zone: 3 August 2026. */
export function dateOf(moment: string | Date, timeZone: string): string {
  const at = typeof moment === 'string' ? new Date(moment) : moment;
  if (Number.isNaN(at.getTime())) return 'on an unknown date';
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  }).format(at);
}
