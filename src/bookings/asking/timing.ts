import { openAt, isOpenAt } from '../../directory/hours/open-at.ts';
import { dayNumber, DAY_MINUTES, type CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import { instantOfLocalMinute, localMinuteOf } from '../../directory/hours/zone-clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';

/** Under this, there is no time for a message that somebody may read later. */
export const SOON_MS = HOUR_MS;
const ANSWER_MIN_MS = 15 * MINUTE_MS;
const ANSWER_MAX_MS = 24 * HOUR_MS;
const OFFER_MAX_MS = 12 * HOUR_MS;
const OFFER_BEFORE_TABLE_MS = 2 * HOUR_MS;
const LOOK_AHEAD_DAYS = 3;

/** When a venue may be disturbed: by the clock there, and also whenever it is open. */
export interface Waking {
  timezone: string;
  /** Minutes of the local day. */
  from: number;
  until: number;
  /** Only hours that are verified. */
  hours: CompiledHours | null;
}

export function tableInstant(timezone: string, date: string, time: string): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return instantOfLocalMinute(timezone, dayNumber(date) * DAY_MINUTES + hour * 60 + minute);
}

export function isAwake({ timezone, from, until, hours }: Waking, at: Date): boolean {
  const minute = localMinuteOf(timezone, at) % DAY_MINUTES;
  if (minute >= from && minute < until) return true;
  return hours !== null && isOpenAt(hours, timezone, at) === true;
}

/** The first moment from `at` on at which the venue is awake. */
export function nextAwake(waking: Waking, at: Date): Date {
  if (isAwake(waking, at)) return at;
  const { timezone, from, hours } = waking;
  const today = Math.floor(localMinuteOf(timezone, at) / DAY_MINUTES);
  const mornings = [today, today + 1, today + 2].map((day) =>
    instantOfLocalMinute(timezone, day * DAY_MINUTES + from),
  );
  const morning = mornings.find((one) => one > at) ?? at;
  const opens = hours === null ? null : openAt(hours, timezone, at).until;
  return opens !== null && opens > at && opens < morning && isAwake(waking, opens) ? opens : morning;
}

/** The end of a span of waking time that begins at `at`. */
function afterWaking(waking: Waking, at: Date, spanMs: number): Date {
  let left = spanMs;
  let now = nextAwake(waking, at);
  const last = at.getTime() + LOOK_AHEAD_DAYS * 24 * HOUR_MS;
  while (now.getTime() < last) {
    const asleep = nextAsleep(waking, now);
    const awakeMs = asleep.getTime() - now.getTime();
    if (awakeMs >= left) return new Date(now.getTime() + left);
    left -= awakeMs;
    now = nextAwake(waking, asleep);
  }
  return new Date(last);
}

const STEP_MS = 15 * MINUTE_MS;

function nextAsleep(waking: Waking, at: Date): Date {
  const last = at.getTime() + 2 * 24 * HOUR_MS;
  // Steps fall on quarters of an hour, where opening hours and waking hours begin and end.
  let now = Math.floor(at.getTime() / STEP_MS) * STEP_MS + STEP_MS;
  while (now < last && isAwake(waking, new Date(now))) now += STEP_MS;
  return new Date(now);
}

/** Until when a venue that is asked now has to answer. */
export function answerBy(waking: Waking, now: Date, tableAt: Date, answerMs: number): Date {
  const wanted = afterWaking(waking, now, answerMs).getTime();
  const latest = Math.min(wanted, tableAt.getTime() - SOON_MS, now.getTime() + ANSWER_MAX_MS);
  const earliest = now.getTime() + ANSWER_MIN_MS;
  return new Date(Math.min(Math.max(latest, earliest), Math.max(tableAt.getTime(), now.getTime())));
}

/** How long it was until the table when the deadline was set; exact where it was short, which is what matters. */
export function untilTableWhenAsked(tableAt: Date, deadline: Date): number {
  return tableAt.getTime() - deadline.getTime() + ANSWER_MIN_MS;
}

/** Whether somebody who is asked then can still answer. */
export function leavesTime(asked: Date, deadline: Date): boolean {
  return asked.getTime() + ANSWER_MIN_MS <= deadline.getTime();
}

/** When to begin asking: not at night, unless waiting for the morning would be too late. */
export function askFrom(waking: Waking, now: Date, deadline: Date): Date {
  const awake = nextAwake(waking, now);
  return leavesTime(awake, deadline) ? awake : now;
}

/** Until when a partner may take an offer. */
export function offerExpiry(now: Date, tableAt: Date): Date {
  const wanted = Math.min(now.getTime() + OFFER_MAX_MS, tableAt.getTime() - OFFER_BEFORE_TABLE_MS);
  const earliest = now.getTime() + ANSWER_MIN_MS;
  return new Date(Math.min(Math.max(wanted, earliest), tableAt.getTime()));
}
