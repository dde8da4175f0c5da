import { isOfOtherCountry } from '../../core/text/e164.ts';
import type { Facts } from '../place/facts.ts';
import type { BookingMethod } from './booking-method.ts';
import {
  isPhoneRoute,
  ROUTE_GUIDANCE,
  routeWord,
  type BookingRouteKind,
  type PhoneRoute,
} from './guidance.ts';
import { webUrl } from './platforms.ts';
import { NOTHING_PREFILLED, prefillBookingUrl, type BookingDetails } from './prefill.ts';

export interface BookablePlace {
  readonly booking_method: BookingMethod;
  readonly booking_url: string | null;
  readonly chosen_by_venue: boolean;
  readonly phone: string | null;
  readonly country: string;
  readonly facts: Pick<Facts, 'phone_as_published'>;
  /** True when only an agent provided the number: it is not published, and the venue has not confirmed it. */
  readonly phone_submitted?: boolean;
  readonly closed: boolean;
}

export function bookingRoute(place: BookablePlace, ask: BookingDetails, prefix: string) {
  const route = routeOf(place);
  const link = route === 'venue_system' ? prefillBookingUrl(place.booking_url ?? '', ask) : null;
  return {
    method: routeWord(route, prefix),
    url: link?.url ?? null,
    chosen_by_venue:
      routeWord(route, prefix) === routeWord(place.booking_method, prefix) && place.chosen_by_venue,
    phone: isPhoneRoute(route) ? place.phone : null,
    ...(route === 'published_phone' && { phone_as_published: place.facts.phone_as_published }),
    platform: link?.platform ?? null,
    prefilled: link?.prefilled ?? { ...NOTHING_PREFILLED },
    guidance: ROUTE_GUIDANCE[route],
  };
}

/** A closed place takes no bookings. Without a link that a browser may follow, the phone remains. */
function routeOf(place: BookablePlace): BookingRouteKind {
  if (place.closed) return 'closed';
  const linked = place.booking_method === 'venue_system' && webUrl(place.booking_url ?? '') !== null;
  const route = place.booking_method === 'venue_system' && !linked ? 'phone' : place.booking_method;
  return route === 'phone' ? phoneRoute(place) : route;
}

/** Returns what is known about the number by which a place is booked. */
export function phoneRoute({
  phone,
  facts,
  country,
  phone_submitted,
}: Pick<BookablePlace, 'phone' | 'facts' | 'country' | 'phone_submitted'>): PhoneRoute {
  if (phone === null) return facts.phone_as_published === undefined ? 'unknown_phone' : 'published_phone';
  if (phone_submitted === true) return 'submitted_phone';
  return isOfOtherCountry(phone, country) ? 'foreign_phone' : 'phone';
}
