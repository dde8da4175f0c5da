import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';

/** Reasons for a booking's status. A partner that cancels may send its own text instead. */
const bookingReasonSet = closedSet('BookingReason', {
  venue_declined: 'The venue said no.',
  slot_unavailable: 'The table is not free.',
  slot_already_booked_by_user: "According to the venue's system, the guest already has this table.",
  overlapping_reservation: 'The guest has another table at that time.',
  user_over_booking_limit: "The guest has reached the venue's limit of tables.",
  payment_required: 'The venue requires a payment first, and we never pay.',
  offer_lapsed: 'The offer was not accepted in time.',
  offer_gone: 'The offer was accepted, but the venue no longer had the table.',
  offer_withdrawn: 'The venue withdrew its offer.',
  change_declined: 'The venue refused the change; the earlier table stays confirmed.',
  change_unanswered: 'The venue did not answer the change; the earlier table stays confirmed.',
  venue_cancelled: 'The venue cancelled the table.',
  venue_opted_out: 'The venue wants no requests through us.',
  not_bookable_here: 'The place takes no table requests.',
  place_closed: 'The place appears to have closed.',
  place_removed: 'The listing was removed.',
  not_asked: 'No channel to the venue was left.',
  halted: 'Bookings were halted, and then it was too late to ask.',
  halted_too_long: 'Bookings were halted for more than a day.',
});
export type BookingReason = (typeof bookingReasonSet.values)[number];

export const reasonSchema = z
  .union([bookingReasonSet.schema, z.string().describe('Your own text, if you cancelled.')])
  .nullable();
