import { z } from 'zod';
import { CLOCK_TIME } from '../../core/time.ts';
import { AppError } from '../../core/errors.ts';
import type { BookingDetails } from './prefill.ts';
import { DAY_MINUTES, dateOfDay } from '../hours/compile/compiled-hours.ts';
import { localMinuteOf } from '../hours/zone-clock.ts';

export const PARTY_MAX = 50;
const DAYS_AHEAD_MAX = 365;

/** Fields that can prefill a booking page. Date and time are local to the place. */
export const bookingAskFields = {
  party_size: z.int().min(1).max(PARTY_MAX).optional().describe('To fill in a booking page.'),
  date: z.iso
    .date({ error: 'must be a date such as 2026-11-14' })
    .optional()
    .describe(`YYYY-MM-DD, local to the place, at most ${DAYS_AHEAD_MAX} days ahead.`),
  time: z
    .string()
    .regex(CLOCK_TIME, 'must be a time such as 19:30')
    .optional()
    .describe('HH:mm, local to the place.'),
};

/** Refuses a date that is past in the place's time zone, or too far ahead. */
export function checkBookingDate({ date }: BookingDetails, timezone: string, now: Date): void {
  if (date === undefined) return;
  const today = Math.floor(localMinuteOf(timezone, now) / DAY_MINUTES);
  const [first, last] = [dateOfDay(today), dateOfDay(today + DAYS_AHEAD_MAX)];
  if (date >= first && date <= last) return;
  const detail = `must be ${first} to ${last}, local to the place`;
  throw new AppError('validation_failed', `/date: ${detail}`, {
    errors: [{ pointer: '/date', code: 'out_of_range', detail }],
  });
}
