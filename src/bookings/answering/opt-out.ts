import type { Db } from '../../core/postgres/db.ts';
import type { BookingMethod } from '../../directory/booking-route/booking-method.ts';
import { applyFieldClaims, withdrawClaims, VENUE } from '../../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../directory/provenance/stored-claims.ts';

export interface Route {
  method: BookingMethod;
  chosen: boolean;
}

/** Returns how the place takes bookings now. */
export async function bookingRouteOf(db: Db, placeId: string): Promise<Route | undefined> {
  const [route] = await db<Route[]>`
    select booking_method as method, chosen_by_venue as chosen from place where id = ${placeId}`;
  return route;
}

/** Opts the venue out of requests through us. Returns its previous booking method. */
export async function optOut(tx: Db, now: Date, placeId: string): Promise<Route | null> {
  const [place] = await lockPlaceClaims(tx, [placeId]);
  if (place === undefined) return null;
  await writePlaceClaims(tx, now, [applyFieldClaims(place, bookingMethodClaim(place, 'not_through', now))]);
  return { method: place.booking_method, chosen: place.chosen_by_venue };
}

/** Reverts an opt-out: restores the venue's own choice, or the value from other sources. */
export async function revertOptOut(tx: Db, now: Date, placeId: string, route: Route): Promise<void> {
  const [place] = await lockPlaceClaims(tx, [placeId]);
  if (place === undefined) return;
  const restored = route.chosen
    ? applyFieldClaims(place, bookingMethodClaim(place, route.method, now))
    : withdrawClaims(place, VENUE, ['booking']);
  await writePlaceClaims(tx, now, [restored]);
}

function bookingMethodClaim(
  { booking_url, booking_platform }: { booking_url: string | null; booking_platform: string | null },
  booking_method: BookingMethod,
  now: Date,
) {
  const booking = { booking_method, booking_url, booking_platform };
  return { by: 'owner', ref: VENUE, at: now.toISOString(), proof: 'tap', values: { booking } } as const;
}
