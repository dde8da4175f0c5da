import type { Db } from '../../core/postgres/db.ts';
import type { BookingMethod } from '../../directory/booking-route/booking-method.ts';
import { speak, takeBack, VENUE } from '../../directory/word/speak.ts';
import { lockSpoken, writeSpoken } from '../../directory/word/stored-words.ts';

/** How a venue could be asked before it opted out, and whether that was its own choice. */
export interface Route {
  method: BookingMethod;
  chosen: boolean;
}

/** The venue wants no requests through us, from this moment on. Returns what it wanted before. */
export async function optOut(tx: Db, now: Date, placeId: string): Promise<Route | null> {
  const [place] = await lockSpoken(tx, [placeId]);
  if (place === undefined) return null;
  await writeSpoken(tx, now, [speak(place, wanting(place, 'not_through', now))]);
  return { method: place.booking_method, chosen: place.chosen_by_venue };
}

/** The venue takes it back: what it chose before holds again, or what others say of it. */
export async function takeOptOutBack(tx: Db, now: Date, placeId: string, route: Route): Promise<void> {
  const [place] = await lockSpoken(tx, [placeId]);
  if (place === undefined) return;
  const back = route.chosen
    ? speak(place, wanting(place, route.method, now))
    : takeBack(place, VENUE, ['booking']);
  await writeSpoken(tx, now, [back]);
}

function wanting(
  { booking_url, booking_platform }: { booking_url: string | null; booking_platform: string | null },
  booking_method: BookingMethod,
  now: Date,
) {
  const booking = { booking_method, booking_url, booking_platform };
  return { by: 'owner', ref: VENUE, at: now.toISOString(), proof: 'tap', says: { booking } } as const;
}
