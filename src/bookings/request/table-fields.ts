import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { line, text } from '../../core/text/text.ts';
import { hoursVerified } from '../../directory/hours/place-open.ts';
import { isOpenAt } from '../../directory/hours/open-at.ts';
import { dateOfDay, DAY_MINUTES } from '../../directory/hours/compile/compiled-hours.ts';
import { localMinuteOf } from '../../directory/hours/zone-clock.ts';
import { hasOnlyLocalNumber, type AskablePlace, type ChannelPlan } from '../asking/channel-plan.ts';

export const PARTY_SIZE_MAX = 30;
export const DAYS_AHEAD = 90;
export const NOTES_MAX = 280;

export const dateField = z.iso
  .date({ error: 'must be a date such as 2026-11-14' })
  .describe(`YYYY-MM-DD, local to the place: today or at most ${DAYS_AHEAD} days ahead.`);
export const timeField = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 19:30')
  .describe('HH:mm, local to the place.');
export const partySizeField = z
  .int()
  .min(1)
  .max(PARTY_SIZE_MAX)
  .describe(`How many people, 1 to ${PARTY_SIZE_MAX}.`);
export const placeIdField = z
  .string()
  .max(40)
  .describe('From search_places on the partner surface; begins with plc_.');
export const notesField = line(0, NOTES_MAX).describe(
  'For the venue, such as allergies or a quiet table. No contact data of any kind.',
);
export const bookingIdField = z.string().max(40).describe('Begins with bkg_.');
export const idempotencyKeyField = text(1, 255).describe(
  'A key of your own for this call: repeated within 24 hours it gives the same answer and does nothing twice.',
);

/** Refuses a time that nobody can be asked for. */
export function refuseWrongTime(timezone: string, date: string, tableAt: Date, now: Date): void {
  if (tableAt <= now)
    throw new AppError('in_the_past', 'This time has passed where the place is. Nothing was changed.', {
      hint: `Date and time are local to the place (${timezone}).`,
    });
  const today = Math.floor(localMinuteOf(timezone, now) / DAY_MINUTES);
  const last = dateOfDay(today + DAYS_AHEAD);
  if (date > last)
    throw new AppError('too_far_ahead', `Tables can be asked for until ${last}. Nothing was changed.`);
}

/** Whether the place is open then; null where that is not verified. */
export function openAtTable({ place, timezone }: AskablePlace, tableAt: Date, now: Date): boolean | null {
  const compiled = hoursVerified(place, now) ? place.hours?.compiled : null;
  return compiled == null ? null : isOpenAt(compiled, timezone, tableAt);
}

export function refuseWhenClosed(askable: AskablePlace, tableAt: Date, now: Date): void {
  if (openAtTable(askable, tableAt, now) !== false) return;
  throw new AppError('closed_at_that_time', 'The place is closed at that time. Nothing was changed.', {
    hint: 'place_details on the partner surface has its hours.',
  });
}

const REFUSALS = {
  place_closed: ['This place appears to have closed.', 'Do not send anyone.'],
  venue_opted_out: ['This venue asked not to be sent requests through us.', 'Choose another venue.'],
  use_link: [
    'This venue takes bookings on its own page only.',
    'check_availability and booking_link give the page, filled in.',
  ],
} as const;

/** Refuses a venue that cannot be asked at all. */
export function refuseUnaskable({ refusal }: ChannelPlan, askable: AskablePlace): void {
  if (refusal === null && hasOnlyLocalNumber(askable))
    throw new AppError(
      'venue_phone_no_country_code',
      'The only number known of this venue has no country code, and none is guessed. Nothing was changed.',
      { hint: 'place_details on the partner surface has it in facts.local_phone, for the guest.' },
    );
  if (refusal === null) return;
  const [message, hint] = REFUSALS[refusal];
  throw new AppError(refusal, `${message} Nothing was changed.`, { hint });
}
