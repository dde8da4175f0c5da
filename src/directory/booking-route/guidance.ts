import type { BookingMethod } from './booking-method.ts';

/**
 * How a place takes bookings: what it stores, a phone whose number nobody knows, a number that only an agent gave, or
 * that it has closed.
 */
export type BookingRouteKind = BookingMethod | 'unknown_phone' | 'submitted_phone' | 'closed';

/** The sentence that goes with a route. A caller shows it as it is, so it says what to do and what it is not. */
export const ROUTE_GUIDANCE: Readonly<Record<BookingRouteKind, string>> = {
  request:
    'You may ask this venue for a table through the concierge surface. A request is not a booking until the venue accepts.',
  venue_system: 'Send the traveller to booking.url; nothing is booked until they finish there.',
  phone: 'Give the traveller this number; we have no booking line into this venue.',
  unknown_phone:
    'We hold no number of this venue and have no booking line into it; the traveller has to ask there.',
  submitted_phone:
    'Give the traveller this number, and say that an agent submitted it and the venue has not confirmed it; we have no booking line into this venue.',
  not_through: 'This venue asked not to be sent bookings through us. Do not request a table here.',
  closed: 'This place appears to have closed. Do not send anyone.',
};

/** The word for a route on the wire; one of them carries the prefix of the service. */
export function routeWord(route: BookingRouteKind, prefix: string): string {
  if (route === 'unknown_phone' || route === 'submitted_phone') return 'phone';
  return route === 'not_through' ? `not_through_${prefix}` : route;
}
