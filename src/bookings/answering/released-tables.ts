import type { Db } from '../../core/postgres/db.ts';
import { REACHED } from '../asking/queue-tell.ts';
import type { Booking, Table } from '../booking.ts';
import { listAsks, listOffers, type Offer } from '../booking-row.ts';

/**
 * Every table that a venue may keep for a booking that ends now: the promised one first, then what it offers or was asked
 * for. Call it after withdrawing what has not left, and before the offers are closed.
 */
export async function tablesToRelease(tx: Db, booking: Booking): Promise<Table[]> {
  const { id, status, held, revision } = booking;
  if (status === 'confirmed') return [tableOf(booking)];
  const offered = (await listOffers(tx, [id])).filter(isKept);
  const asked = (await listAsks(tx, id)).some(
    (ask) => ask.step === 'ask' && ask.revision === revision && REACHED.includes(ask.state),
  );
  const open = offered.length > 0 ? offered : asked ? [booking] : [];
  return [...(held === null ? [] : [held]), ...open].map(tableOf);
}

/** People keep what they offer. A system only lists what is free, unless it has named the table. */
function isKept({ state, madeBy, ref }: Offer): boolean {
  return state === 'open' && (madeBy !== 'venue_system' || ref !== null);
}

function tableOf({ date, time, partySize }: Table): Table {
  return { date, time, partySize };
}
