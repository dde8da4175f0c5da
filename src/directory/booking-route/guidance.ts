import type { BookingMethod } from './booking-method.ts';

/** Booking route of a place: its stored method, or why that method does not apply. */
export type BookingRouteKind = BookingMethod | 'unknown_phone' | 'submitted_phone' | 'closed';

/** Guidance for each route. Callers show it verbatim, so that it states what to do and what it does not promise. */
export const ROUTE_GUIDANCE: Readonly<Record<BookingRouteKind, string>> = {
  request:
    'You may ask this venue for a table through the concierge surface. A request is not a booking until the venue accepts.',
  venue_system: 'Send the traveller to booking.url; nothing is booked until they finish there.',
  phone: 'Give the traveller this number; we have no booking channel for this venue.',
  unknown_phone:
    'We have no phone number and no booking channel for this venue; the traveller has to ask there.',
  submitted_phone:
    'Give the traveller this number, and say that an agent submitted it and the venue has not confirmed it; we have no booking channel for this venue.',
  not_through: 'This venue asked not to be sent bookings through us. Do not request a table here.',
  closed: 'This place appears to have closed. Do not send anyone.',
};

/** Public name of a route. One of them contains the prefix of the service. */
export function routeWord(route: BookingRouteKind, prefix: string): string {
  if (route === 'unknown_phone' || route === 'submitted_phone') return 'phone';
  return route === 'not_through' ? `not_through_${prefix}` : route;
}
