import { z } from 'zod';
import { bookingAnswer, bookingSchema } from '../../bookings/booking-answer.ts';
import { BOOKING_EXAMPLE } from '../../bookings/booking-example.ts';
import { acceptOffer, changeBooking } from '../../bookings/request/change-booking.ts';
import { NOT_HALTED } from '../../bookings/kill-switch/kill-switch.ts';
import { WRITES_A_DAY, WRITES_A_MINUTE } from '../../bookings/request/limits.ts';
import { BOOKINGS_ENABLED, checkRevision, ownBooking } from '../../bookings/request/own-booking.ts';
import {
  bookingIdField,
  dateField,
  idempotencyKeyField,
  notesField,
  partySizeField,
  timeField,
} from '../../bookings/request/table-fields.ts';
import { AppError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { guestTool, partnerOf } from './calling-partner.ts';
import { bookingText } from '../../bookings/booking-text.ts';

const input = z.object({
  booking_id: bookingIdField,
  date: dateField.optional(),
  time: timeField.optional(),
  party_size: partySizeField.optional(),
  notes: notesField.optional(),
  remove_notes: z.boolean().optional().describe('true: removes the notes.'),
  accept_offer: z
    .string()
    .max(40)
    .optional()
    .describe('The offer_id of the offer that you accept; begins with off_. Not together with a change.'),
  if_revision: z.int().min(1).optional().describe('Only if the booking is still at this revision.'),
  idempotency_key: idempotencyKeyField.optional(),
});

export const modifyBooking = defineOperation({
  name: 'modify_booking',
  title: 'Modify a booking',
  description:
    "Accepts the venue's offer (accept_offer), or requests another date, time or party size. A confirmed table stays until the venue has answered. While the venue is being asked, nothing can be changed, but the booking can be cancelled.",
  ...guestTool,
  effect: 'write',
  acts: ['overwrites', 'reaches_out'],
  input,
  output: bookingSchema,
  failures: [
    'bookings_not_enabled',
    'bookings_halted',
    'booking_not_found',
    'booking_final',
    'invalid_move',
    'revision_conflict',
    'offer_expired',
    'venue_opted_out',
    'not_bookable_here',
    'closed_at_that_time',
    'in_the_past',
    'too_far_ahead',
    'contact_data_refused',
    'venue_daily_cap',
    'write_rate_limited',
    'daily_write_limit',
  ],
  example: {
    input: { booking_id: 'bkg_01kdtqb00071qz6sbs7e2vkqza', accept_offer: 'off_01kdtqb00071qz6sbs7e2vkqza' },
    output: BOOKING_EXAMPLE,
  },
  requires: [BOOKINGS_ENABLED, NOT_HALTED],
  rateLimits: [WRITES_A_MINUTE, WRITES_A_DAY],
  noContactData: ['notes'],
  async run(ctx, args) {
    const partner = partnerOf(ctx.actor);
    const { date, time, party_size: partySize, accept_offer: offerId } = args;
    const notes = args.notes ?? (args.remove_notes === true ? null : undefined);
    const booking = await ownBooking(ctx.db, partner, args.booking_id, 'change');
    checkRevision(booking, args.if_revision);
    const change = { date, time, partySize, notes };
    const changes = Object.values(change).some((value) => value !== undefined);
    if (offerId !== undefined && changes) throw offerAndChange();
    const changed =
      offerId === undefined
        ? await changeBooking(ctx, booking, change)
        : await acceptOffer(ctx, booking, offerId);
    ctx.audit(booking.id, { status: changed.status, revision: changed.revision });
    return bookingAnswer(ctx.db, changed);
  },
  summarize: bookingText,
});

function offerAndChange(): AppError {
  const detail = 'accept the offer or request a change, not both';
  return new AppError('validation_failed', `/accept_offer: ${detail}`, {
    errors: [{ pointer: '/accept_offer', code: 'bad_format', detail }],
  });
}
