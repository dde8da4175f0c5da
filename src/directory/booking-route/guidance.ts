import type { BookingMethod } from './booking-method.ts';
import guidance from './guidance.json' with { type: 'json' };

/** Booking route of a place: its stored method, or why that method does not apply. */
export type BookingRouteKind = BookingMethod | 'unknown_phone' | 'submitted_phone' | 'closed';

/** Guidance for each route. Callers show it verbatim, so that it states what to do and what it does not promise. */
export const ROUTE_GUIDANCE: Readonly<Record<BookingRouteKind, string>> = guidance;

/** Public name of a route. One of them contains the prefix of the service. */
export function routeWord(route: BookingRouteKind, prefix: string): string {
  if (route === 'unknown_phone' || route === 'submitted_phone') return 'phone';
  return route === 'not_through' ? `not_through_${prefix}` : route;
}
