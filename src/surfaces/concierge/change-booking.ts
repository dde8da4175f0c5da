import { z } from 'zod';
import { bookingAnswer, bookingSchema } from '../../bookings/booking-answer.ts';
import { acceptOffer, changeBooking, declineOffer } from '../../bookings/request/change-booking.ts';
import { cancelRest } from '../../bookings/choices/cancel-choice.ts';
import { isFinal } from '../../bookings/moves.ts';
import { isHalted, NOT_HALTED } from '../../bookings/kill-switch/kill-switch.ts';
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
import { invalidField } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { guestTool, partnerOf } from './calling-partner.ts';
import { bookingText } from '../../bookings/booking-text.ts';
import { cancelBooking, finishCancelling } from '../../bookings/request/cancel-booking.ts';
import { text } from '../../core/text/text.ts';
import examples from './examples.json' with { type: 'json' };

export const modifyBooking = defineOperation({
  name: 'modify_booking',
  title: 'Modify a booking',
  description:
    "Accepts the venue's offer (accept_offer), or requests another date, time or party size. A confirmed table stays until the venue has answered. While the venue is being asked, nothing can be changed, but the booking can be cancelled.",
  ...guestTool,
  effect: 'write',
  acts: ['overwrites', 'reaches_out'],
  input: z.object({
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
    decline_offer: z
      .boolean()
      .optional()
      .describe(
        'true: declines what the venue offers. With alternatives, the next venue is asked; cancel_booking ends all.',
      ),
    if_revision: z.int().min(1).optional().describe('Only if the booking is still at this revision.'),
    idempotency_key: idempotencyKeyField.optional(),
  }),
  output: bookingSchema,
  example: examples.modify_booking,
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
    const declines = args.decline_offer === true;
    if (offerId !== undefined && (changes || declines))
      throw invalidField('accept_offer', 'bad_format', 'accept the offer or request a change, not both');
    if (declines && changes)
      throw invalidField('decline_offer', 'bad_format', 'decline the offer or request a change, not both');
    const changed = declines
      ? await declineOffer(ctx, booking)
      : offerId === undefined
        ? await changeBooking(ctx, booking, change)
        : await acceptOffer(ctx, booking, offerId);
    ctx.audit(booking.id, { status: changed.status, revision: changed.revision });
    return bookingAnswer(ctx.db, changed);
  },
  summarize: bookingText,
});

const REASON_MAX = 200;

export const cancelBookingForPartners = defineOperation({
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description:
    'Cancels one of your bookings, with alternatives at all venues. If the venue was already asked, it is informed. Works at any time, also while bookings are halted; cancelling twice is not an error.',
  ...guestTool,
  effect: 'write',
  acts: ['overwrites', 'reaches_out', 'repeatable'],
  input: z.object({
    booking_id: bookingIdField,
    reason: text(0, REASON_MAX).optional().describe('For the record. No contact data of any kind.'),
    if_revision: z.int().min(1).optional().describe('Only if the booking is still at this revision.'),
  }),
  output: bookingSchema,
  example: examples.cancel_booking,
  detectsRepetitions: true,
  rateLimits: [WRITES_A_MINUTE, { ...WRITES_A_DAY, refuses: false }],
  noContactData: ['reason'],
  async run(ctx, args) {
    const { db } = ctx;
    const partner = partnerOf(ctx.actor);
    const halted = await isHalted(db);
    const booking = await ownBooking(db, partner, args.booking_id, 'change');
    if (isFinal(booking.status) && (await cancelRest(db, booking, ctx.now))) {
      ctx.audit(booking.id, { choice_id: booking.choice?.id ?? null });
      return bookingAnswer(db, booking);
    }
    if (booking.status === 'cancelled') return bookingAnswer(db, booking);
    checkRevision(booking, args.if_revision);
    const reached = await cancelBooking(ctx, booking, { reason: args.reason || null, halted });
    if (reached.status !== 'cancelled')
      ctx.afterCommit(async (outside) =>
        bookingAnswer(outside.deps.pool, await finishCancelling(outside, booking.id)),
      );
    ctx.audit(booking.id, { revision: booking.revision });
    return bookingAnswer(db, reached);
  },
  summarize: bookingText,
});
