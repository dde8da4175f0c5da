import { html, type Html } from '../../../core/text/html.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time.ts';

const MOMENT_PARTS = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const;

const MOMENT = new Intl.DateTimeFormat('en-GB', { ...MOMENT_PARTS, timeZone: 'UTC' });

/** Formats a time in UTC, so that people in different time zones can compare it: 14 Nov 2026, 12:00 UTC. */
export function formatTime(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${MOMENT.format(at)} UTC</time>`;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** Formats a past time as people say it: today, 12:00 UTC. Earlier than yesterday it is the whole date. */
export function formatPast(at: Date, now: Date): Html {
  const [day, today] = [at, now].map((one) => Math.floor(one.getTime() / DAY_MS));
  const word = day === today ? 'today' : day === (today ?? 0) - 1 ? 'yesterday' : undefined;
  if (word === undefined) return formatTime(at);
  return html`<time datetime="${at.toISOString()}" title="${MOMENT.format(at)} UTC"
    >${word}, ${CLOCK.format(at)} UTC</time
  >`;
}

/** Formats a time by the clock of the venue and in UTC: 20 Nov 2026, 19:30 at the venue, 20 Nov 2026, 11:30 UTC. */
export function formatOnBothClocks(at: Date, timezone: string): Html {
  const local = new Intl.DateTimeFormat('en-GB', { ...MOMENT_PARTS, timeZone: timezone });
  return html`<span class="clocks"
    >${local.format(at)} at the venue <span class="soft">${formatTime(at)}</span></span
  >`;
}

/** Formats a duration in its two largest units: 2 d 4 h. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < HOUR_MS) return `${Math.floor(whole / MINUTE_MS)} min`;
  if (whole < DAY_MS)
    return `${Math.floor(whole / HOUR_MS)} h ${Math.floor((whole % HOUR_MS) / MINUTE_MS)} min`;
  return `${Math.floor(whole / DAY_MS)} d ${Math.floor((whole % DAY_MS) / HOUR_MS)} h`;
}
