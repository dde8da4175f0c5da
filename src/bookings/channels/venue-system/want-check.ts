import type { Db } from '../../../core/postgres/db.ts';
import { wakeBookings } from '../../move-booking.ts';
import { venueSystem } from './venue-system.ts';

/**
 * Queues checks of the tables of a place after its system reported a change of `ref`. The report is not believed:
 * only what the system answers to the check counts. Returns the number of bookings to check.
 */
export async function wantCheck(db: Db, placeId: string, ref: string, now: Date): Promise<number> {
  const rows = await db<{ id: string }[]>`
    update venue_ask a set check_wanted = true
    from booking b
    where b.id = a.booking_id and b.place_id = ${placeId} and b.table_at > ${now}
      and b.status in ('sent', 'asking', 'offered', 'confirmed')
      and a.channel = ${venueSystem.name} and a.ref = ${ref} and a.step in ('ask', 'accept')
    returning b.id`;
  const ids = [...new Set(rows.map(({ id }) => id))];
  if (ids.length > 0) await wakeBookings(db, ids);
  return ids.length;
}
