import type { BookingMethod } from './booking-method.ts';
import guidance from './guidance.json' with { type: 'json' };

/** Booking route of a place: its stored method, or why that method does not apply. */
export type BookingRouteKind = BookingMethod | PhoneRoute | 'closed';

/** Kinds of `phone`: what is known about the number. */
export const PHONE_ROUTES = [
  'phone',
  'unknown_phone',
  'submitted_phone',
  'published_phone',
  'foreign_phone',
] as const;
export type PhoneRoute = (typeof PHONE_ROUTES)[number];

/** Guidance for each route. Callers show it verbatim, so that it states what to do and what it does not promise. */
export const ROUTE_GUIDANCE: Readonly<Record<BookingRouteKind, string>> = guidance;

/** Public name of a route. One of them contains the prefix of the service. */
export function routeWord(route: BookingRouteKind, prefix: string): string {
  if (isPhoneRoute(route)) return 'phone';
  return route === 'not_through' ? `not_through_${prefix}` : route;
}

export function isPhoneRoute(route: BookingRouteKind): route is PhoneRoute {
  return (PHONE_ROUTES as readonly BookingRouteKind[]).includes(route);
}
