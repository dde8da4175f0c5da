import { z } from 'zod';
import { BOOKING_EXAMPLE, bookingAnswer, bookingSchema } from '../../bookings/booking-answer.ts';
import { cancelBooking, giveBackInSystem } from '../../bookings/cancel-booking.ts';
import { refuseContacts } from '../../bookings/contact-firewall.ts';
import { takeWrite } from '../../bookings/limits.ts';
import { checkRevision, ownBooking } from '../../bookings/own-booking.ts';
import { bookingIdField } from '../../bookings/table-fields.ts';
import { defineOperation } from '../../core/operation.ts';
import { text } from '../../core/text.ts';
import { partnerOf } from './calling-partner.ts';

const REASON_MAX = 200;

export const cancelBookingForPartners = defineOperation({
  name: 'cancel_booking',
  title: 'Cancel a booking',
  description:
    'Cancels a booking that you made. A venue that was reached is told. It works at any time, also while bookings are halted; cancelling twice is no error.',
  tag: 'bookings',
  effect: 'write',
  access: { who: 'partner' },
  tools: ['concierge'],
  input: z.object({
    booking_id: bookingIdField,
    reason: text(0, REASON_MAX).optional().describe('For the record. No contact data of any kind.'),
    if_revision: z.int().min(1).optional().describe('Only if the booking is still at this revision.'),
  }),
  output: bookingSchema,
  failures: [
    'booking_not_found',
    'booking_final',
    'not_cancellable',
    'revision_conflict',
    'contact_data_refused',
    'write_rate_limited',
  ],
  example: {
    input: { booking_id: 'bkg_01kdtqb00071qz6sbs7e2vkqza', reason: 'The guest is ill.' },
    output: { ...BOOKING_EXAMPLE, status: 'cancelled', booked: false, confirmation: null },
  },
  async vet(deps, given, actor) {
    refuseContacts({ reason: given.reason });
    const booking = await ownBooking(deps.pool, partnerOf(actor), given.booking_id, 'read');
    checkRevision(booking, given.if_revision);
    if (booking.status === 'confirmed') await giveBackInSystem(deps, booking.id);
    return [];
  },
  async run(ctx, given) {
    const partner = partnerOf(ctx.actor);
    const booking = await ownBooking(ctx.db, partner, given.booking_id, 'change');
    if (booking.status === 'cancelled') return bookingAnswer(ctx.db, booking);
    checkRevision(booking, given.if_revision);
    const cancelled = await cancelBooking(ctx.db, ctx, booking, given.reason || null);
    await takeWrite(ctx, partner.id, 'cancel');
    ctx.audit(booking.id, { revision: booking.revision });
    return bookingAnswer(ctx.db, cancelled);
  },
  summarize({ booking_id, status }) {
    return `${booking_id} is ${status}.`;
  },
});
