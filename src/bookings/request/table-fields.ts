import { z } from 'zod';
import { CLOCK_TIME } from '../../core/time.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { line, text } from '../../core/text/text.ts';
import { openInstead } from '../../directory/hours/open-instead.ts';
import { hoursVerified } from '../../directory/hours/place-open.ts';
import { publishedNote } from '../../directory/place/shown-phones.ts';
import { quoteUntrusted } from '../../core/text/tool-text.ts';
import { routeOf } from '../../directory/place/place-answer.ts';
import { isOpenAt } from '../../directory/hours/open-at.ts';
import type { CompiledHours } from '../../directory/hours/compile/compiled-hours.ts';
import type { TableRequest } from '../booking.ts';
import { DAYS_AHEAD, lastBookingDate } from '../booking-range.ts';
import { hasOnlyLocalNumber, type ChannelPlan } from '../asking/channel-plan.ts';
import type { AskablePlace } from '../channels/channel.ts';

export const PARTY_SIZE_MAX = 30;
const NOTES_MAX = 280;

export const dateField = z.iso
  .date({ error: 'must be a date such as 2026-11-14' })
  .describe(`YYYY-MM-DD, local to the place: today or at most ${DAYS_AHEAD} days ahead.`);
export const timeField = z
  .string()
  .regex(CLOCK_TIME, 'must be a time such as 19:30')
  .describe('HH:mm, local to the place.');
export const timeUntilField = timeField.describe(
  'The end of a window of up to four hours that begins at time, where any time in it will do. The venue names one.',
);
export const waitUntilField = z.iso
  .datetime({ offset: true, error: 'must be a time with its zone, such as 2026-11-20T17:00:00Z' })
  .describe(
    'If the venue is full, the guest waits until then (with zone, at most the time of the table) in case a table becomes free: an offer. Not with alternatives.',
  );
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
  'Your own key for this call: a repeat within 24 hours returns the first answer and does nothing twice.',
);

export function refuseWrongTime(timezone: string, date: string, tableAt: Date, now: Date): void {
  if (tableAt <= now)
    throw new AppError(
      'in_the_past',
      "This time has already passed in the place's time zone. Nothing was changed.",
      { hint: `Date and time are local to the place (${timezone}).` },
    );
  const last = lastBookingDate(timezone, now);
  if (date > last)
    throw new AppError('too_far_ahead', `Tables can be requested until ${last}. Nothing was changed.`, {
      hint: 'Send an earlier date, or ask again when the date is nearer.',
    });
}

const WINDOW_MIN = 15;
const WINDOW_MAX = 4 * 60;

/** A window ends on the day on which it begins. */
export function refuseWrongWindow(time: string, timeUntil: string | undefined): void {
  if (timeUntil === undefined) return;
  const minutes = minuteOf(timeUntil) - minuteOf(time);
  if (minutes < WINDOW_MIN || minutes > WINDOW_MAX)
    throw invalidField(
      'time_until',
      'out_of_range',
      'must be 15 minutes to 4 hours after time, on the same day',
    );
}

/** A guest waits for a table until its time at most. */
export function refuseWrongWait(waitUntil: Date, tableAt: Date, now: Date): void {
  if (waitUntil <= now || waitUntil > tableAt)
    throw invalidField(
      'wait_until',
      'out_of_range',
      'must be in the future, and at most the time of the table',
    );
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

/** Returns whether the place is open then; null when its hours are not verified. */
export function openAtTable(askable: AskablePlace, tableAt: Date, now: Date): boolean | null {
  const compiled = verifiedHours(askable, now);
  return compiled === null ? null : isOpenAt(compiled, askable.timezone, tableAt);
}

/** Describes when the place is open instead; undefined unless it is known to be closed then. */
export function openInsteadOf(askable: AskablePlace, tableAt: Date, now: Date): string | undefined {
  const compiled = verifiedHours(askable, now);
  if (compiled === null || isOpenAt(compiled, askable.timezone, tableAt) !== false) return undefined;
  return openInstead(compiled, askable.timezone, tableAt);
}

function verifiedHours({ place }: AskablePlace, now: Date): CompiledHours | null {
  return hoursVerified(place, now) ? (place.hours?.compiled ?? null) : null;
}

export function refuseWhenClosed(askable: AskablePlace, tableAt: Date, now: Date): void {
  const instead = openInsteadOf(askable, tableAt, now);
  if (instead === undefined) return;
  throw new AppError('closed_at_that_time', 'The place is closed at that time. Nothing was changed.', {
    hint: `Request another time. ${instead}`,
  });
}

const REFUSALS = {
  demonstration_place: [
    'This is a real place in a demonstration, which asks no real venue.',
    'Request a table at a fictional venue of another destination.',
  ],
  place_closed: ['This place appears to have closed.', 'Do not send anyone.'],
  venue_opted_out: ['This venue asked not to be sent requests through us.', 'Choose another venue.'],
  use_link: [
    'This venue takes bookings on its own page only.',
    'place_details on the partner surface has its number.',
  ],
} as const;

export function noTables({ vertical }: AskablePlace['place']): string {
  return `Tables can be requested from restaurants, cafés, bars and the like only; this place is of type ${vertical}.`;
}

/** Describes in one sentence how a place without table requests is booked. */
export function howBooked(
  { booking_method, phone, website, facts }: AskablePlace['place'],
  url: string | null,
): string {
  if (url !== null) return `Book on its own page: ${url}`;
  if (booking_method !== 'not_through' && phone !== null) return `Book by phone: ${phone}`;
  if (website !== null) return `Its website may explain how to book: ${website}`;
  const written = facts.phone_as_published;
  if (written !== undefined)
    return `The source lists this number, ${publishedNote(written)}: ${quoteUntrusted(written)}`;
  return 'We have neither a phone number nor a booking page; the traveller has to ask there.';
}

/** Rejects a venue that cannot be asked. The error contains the venue's booking page, if there is one. */
export function refuseUnaskable(
  { refusal }: ChannelPlan,
  askable: AskablePlace,
  { date, time, partySize }: TableRequest,
  prefix: string,
): void {
  if (refusal === null && hasOnlyLocalNumber(askable))
    throw new AppError(
      'venue_phone_no_country_code',
      'The only known number of this venue has no country code, and we do not guess one. Nothing was changed.',
      { hint: 'place_details on the partner surface has it in contact.phone_as_published, for the guest.' },
    );
  if (refusal === null) return;
  const booking = routeOf(askable.place, { date, time, party_size: partySize }, prefix);
  const { url, prefilled, guidance } = booking;
  if (refusal === 'not_bookable_here') {
    const { website } = askable.place;
    throw new AppError(refusal, `${noTables(askable.place)} Nobody was asked.`, {
      hint: howBooked(askable.place, url),
      members: { booking, website },
    });
  }
  const [message, hint] = REFUSALS[refusal];
  if (refusal !== 'use_link' || url === null)
    throw new AppError(refusal, `${message} Nothing was changed.`, { hint });
  throw new AppError(refusal, `${message} Nothing was changed.`, {
    hint: `Send the guest there; nothing is booked until they finish: ${url}`,
    members: { link: { url, prefilled, guidance } },
  });
}
