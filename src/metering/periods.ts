import { memoize } from '../core/memory/memoize-text.ts';
import { MINUTE_MS } from '../core/time.ts';

export function windowStart(windowMs: number, now: Date): number {
  return Math.floor(now.getTime() / windowMs) * windowMs;
}

export function minuteOf(now: Date): number {
  return windowStart(MINUTE_MS, now);
}

export function secondsUntil(endMs: number, now: Date): number {
  return Math.max(1, Math.ceil((endMs - now.getTime()) / 1000));
}

/** First day of a calendar month UTC, as `2026-11-01`: the month that calls are counted in. */
export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}

export function monthStart(now: Date): number {
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
}

export function monthEnd(now: Date): number {
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}

export function nextMonth(now: Date): Date {
  return new Date(monthEnd(now));
}

export function monthsUpTo(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - i), 1))),
  );
}

const MOMENTS_MAX = 100;

/** Formats a moment. The results are cached, because nearly all calls share the same minute, day and month. */
export const momentText = memoize((ms: number) => new Date(ms).toISOString(), MOMENTS_MAX);
