import { html, type Html } from '../../../core/text/html.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time.ts';

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** Formats a time in UTC, so that people in different time zones can compare it: 14 Nov 2026, 12:00 UTC. */
export function formatTime(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${MOMENT.format(at)} UTC</time>`;
}

/** Formats a duration in its two largest units: 2 d 4 h. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < HOUR_MS) return `${Math.floor(whole / MINUTE_MS)} min`;
  if (whole < DAY_MS)
    return `${Math.floor(whole / HOUR_MS)} h ${Math.floor((whole % HOUR_MS) / MINUTE_MS)} min`;
  return `${Math.floor(whole / DAY_MS)} d ${Math.floor((whole % DAY_MS) / HOUR_MS)} h`;
}
