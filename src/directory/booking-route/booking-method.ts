import { closedSet } from '../../core/input/closed-set.ts';

export const BOOKING_METHODS = ['request', 'venue_system', 'phone', 'not_through'] as const;
export type BookingMethod = (typeof BOOKING_METHODS)[number];

export const bookingMethodSet = closedSet('BookingMethod', {
  request: 'Ask the venue for a table with request_table of the concierge surface; the venue decides.',
  venue_system: 'The traveller books on the page at booking.url.',
  phone: 'The traveller calls or goes there; the number is given if known.',
  closed: 'The place appears to have closed for good: send nobody.',
  'not_through_{prefix}':
    'The venue asked not to be sent bookings through this service: do not request a table.',
});
