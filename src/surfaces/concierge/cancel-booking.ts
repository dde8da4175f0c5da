import { z } from 'zod';
import { bookingAnswer, bookingSchema } from '../../bookings/booking-answer.ts';
import { cancelBooking, finishCancelling } from '../../bookings/request/cancel-booking.ts';
import { isHalted } from '../../bookings/kill-switch/kill-switch.ts';
import { WRITES_A_DAY, WRITES_A_MINUTE } from '../../bookings/request/limits.ts';
import { checkRevision, ownBooking } from '../../bookings/request/own-booking.ts';
import { bookingIdField } from '../../bookings/request/table-fields.ts';
import { defineOperation } from '../../core/operation.ts';
import { text } from '../../core/text/text.ts';
import { guestTool, partnerOf } from './calling-partner.ts';
import { bookingText } from '../../bookings/booking-text.ts';
import examples from './examples.json' with { type: 'json' };

const REASON_MAX = 200;

export const cancelBookingForPartners = defineOperation({
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description:
    'Cancels one of your bookings. If the venue was already asked, it is informed. Works at any time, also while bookings are halted; cancelling twice is not an error.',
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
