import { openAt, isOpenAt } from '../../directory/hours/open-at.ts';
import { dayNumber, DAY_MINUTES, type CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import { instantOfLocalMinute, localMinuteOf } from '../../directory/hours/zone-clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';

/** A table within this time is too soon for a message, which may be read late. */
export const SOON_MS = HOUR_MS;
const ANSWER_MIN_MS = 15 * MINUTE_MS;
const ANSWER_MAX_MS = 24 * HOUR_MS;
const OFFER_MAX_MS = 12 * HOUR_MS;
const OFFER_BEFORE_TABLE_MS = 2 * HOUR_MS;
const LOOK_AHEAD_DAYS = 3;

/** Hours in which a venue may be contacted: a local time range, and also whenever it is open. */
export interface ContactHours {
  timezone: string;
  /** Minutes since local midnight. */
  from: number;
  until: number;
  hours: CompiledHours | null;
}

export function tableInstant(timezone: string, date: string, time: string): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return instantOfLocalMinute(timezone, dayNumber(date) * DAY_MINUTES + hour * 60 + minute);
}

function isContactTime({ timezone, from, until, hours }: ContactHours, at: Date): boolean {
  const minute = localMinuteOf(timezone, at) % DAY_MINUTES;
  if (minute >= from && minute < until) return true;
  return hours !== null && isOpenAt(hours, timezone, at) === true;
}

/** Returns the first time from `at` on at which the venue may be contacted. */
export function nextContactTime(contactHours: ContactHours, at: Date): Date {
  if (isContactTime(contactHours, at)) return at;
  const { timezone, from, hours } = contactHours;
  const today = Math.floor(localMinuteOf(timezone, at) / DAY_MINUTES);
  const mornings = [today, today + 1, today + 2].map((day) =>
    instantOfLocalMinute(timezone, day * DAY_MINUTES + from),
  );
  const morning = mornings.find((one) => one > at) ?? at;
  const opens = hours === null ? null : openAt(hours, timezone, at).until;
  return opens !== null && opens > at && opens < morning && isContactTime(contactHours, opens)
    ? opens
    : morning;
}

/** Returns the time at which `spanMs` of contact hours have passed since `at`. */
function addContactTime(contactHours: ContactHours, at: Date, spanMs: number): Date {
  let left = spanMs;
  let now = nextContactTime(contactHours, at);
  const last = at.getTime() + LOOK_AHEAD_DAYS * 24 * HOUR_MS;
  while (now.getTime() < last) {
    const asleep = nextAsleep(contactHours, now);
    const awakeMs = asleep.getTime() - now.getTime();
    if (awakeMs >= left) return new Date(now.getTime() + left);
    left -= awakeMs;
    now = nextContactTime(contactHours, asleep);
  }
  return new Date(last);
}

const STEP_MS = 15 * MINUTE_MS;

function nextAsleep(contactHours: ContactHours, at: Date): Date {
  const last = at.getTime() + 2 * 24 * HOUR_MS;
  // Steps fall on quarter hours, where opening hours and contact hours begin and end.
  let now = Math.floor(at.getTime() / STEP_MS) * STEP_MS + STEP_MS;
  while (now < last && isContactTime(contactHours, new Date(now))) now += STEP_MS;
  return new Date(now);
}

export function answerBy(contactHours: ContactHours, now: Date, tableAt: Date, answerMs: number): Date {
  const preferred = addContactTime(contactHours, now, answerMs).getTime();
  const latest = Math.min(preferred, tableAt.getTime() - SOON_MS, now.getTime() + ANSWER_MAX_MS);
  const earliest = now.getTime() + ANSWER_MIN_MS;
  return new Date(Math.min(Math.max(latest, earliest), Math.max(tableAt.getTime(), now.getTime())));
}

/**
 * Computes from the deadline how long before the table it was requested. The result is exact only for short
 * times.
 */
export function untilTableWhenAsked(tableAt: Date, deadline: Date): number {
  return tableAt.getTime() - deadline.getTime() + ANSWER_MIN_MS;
}

/** True when a venue that is asked at that time can still answer before the deadline. */
export function leavesTime(askedAt: Date, deadline: Date): boolean {
  return askedAt.getTime() + ANSWER_MIN_MS <= deadline.getTime();
}

/** Returns when to start asking: outside contact hours only if waiting for the morning would be too late. */
export function askFrom(contactHours: ContactHours, now: Date, deadline: Date): Date {
  const awake = nextContactTime(contactHours, now);
  return leavesTime(awake, deadline) ? awake : now;
}

export function offerExpiry(now: Date, tableAt: Date, maxMs = OFFER_MAX_MS): Date {
  const preferred = Math.min(now.getTime() + maxMs, tableAt.getTime() - OFFER_BEFORE_TABLE_MS);
  const earliest = now.getTime() + ANSWER_MIN_MS;
  return new Date(Math.min(Math.max(preferred, earliest), tableAt.getTime()));
}
