import type { Db } from '../../core/postgres/db.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { Booking } from '../booking.ts';
import type { AskablePlace, Way } from './channel-plan.ts';

/** Whether it goes by a message, in which several tables can stand. */
export function isWritten({ channel }: Way): boolean {
  return channel === 'sms' || channel === 'mail';
}

/** Until when requests for the evening of a booking are gathered, because the venue was written to about it just now. */
export async function gatheredUntil(
  db: Db,
  { id, placeId, date }: Booking,
  { place: { gather_minutes: gatherMinutes } }: AskablePlace,
  now: Date,
): Promise<Date | null> {
  if (gatherMinutes === 0) return null;
  const since = new Date(now.getTime() - gatherMinutes * MINUTE_MS);
  const [last] = await db<{ at: Date | null }[]>`
    select max(a.claimed_at) as at from booking b join venue_ask a on a.booking_id = b.id
    where b.place_id = ${placeId} and b.date = ${date} and b.id <> ${id} and a.step = 'ask'
      and a.channel in ('sms','mail') and a.state <> 'failed' and a.claimed_at > ${since}`;
  return last?.at == null ? null : new Date(last.at.getTime() + gatherMinutes * MINUTE_MS);
}

/**
 * Of those who look at the same moment what a venue is to hear about an evening, one after the other does: the first
 * takes the others' tables along. It comes before the lock of the booking, so that nobody waits who holds one.
 */
export async function lockEvening(db: Db, bookingId: string): Promise<void> {
  await db`
    select pg_advisory_xact_lock(7015, hashtext(place_id || '/' || date))
    from booking where id = ${bookingId} and status in ('sent','asking')`;
}
