import type { Db } from '../../core/postgres/db.ts';
import { REACHED } from '../asking/queue-notification.ts';
import type { Booking, TableRequest } from '../booking.ts';
import { listAsks, listOffers, type BookingOffer } from '../booking-row.ts';

/** Tables that a venue may hold for a booking that ends: the promised one first. Call it before closing offers. */
export async function tablesToRelease(tx: Db, booking: Booking): Promise<TableRequest[]> {
  const { id, status, held, revision } = booking;
  if (status === 'confirmed') return [tableOf(booking)];
  const offered = (await listOffers(tx, [id])).filter(isHeldByVenue);
  const wasRequested = (await listAsks(tx, id)).some(
    (ask) => ask.step === 'ask' && ask.revision === revision && REACHED.includes(ask.state),
  );
  const open = offered.length > 0 ? offered : wasRequested ? [booking] : [];
  return [...(held === null ? [] : [held]), ...open].map(tableOf);
}

/** True for an open offer whose table is reserved: one by people, or by a system with a reference for it. */
function isHeldByVenue({ state, madeBy, ref }: BookingOffer): boolean {
  return state === 'open' && (madeBy !== 'venue_system' || ref !== null);
}

function tableOf({ date, time, timeUntil = null, partySize }: TableRequest): TableRequest {
  return { date, time, timeUntil, partySize };
}
