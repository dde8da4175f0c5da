import type { Db } from '../../core/postgres/db.ts';
import type { WaitingAnswer } from '../../webhooks/waiting-schema.ts';
import type { Booking } from '../booking.ts';

/** True while the guest waits for a table of a full venue. The generated column `booking.waiting` holds the same. */
export function isWaiting({
  status,
  revision,
  waitingRevision,
}: Pick<Booking, 'status' | 'revision' | 'waitingRevision'>): boolean {
  return status === 'asking' && waitingRevision === revision;
}

/** The end of the wait: never after the time of the table. */
export function waitEnd({ waitUntil, tableAt }: Pick<Booking, 'waitUntil' | 'tableAt'>): Date {
  return waitUntil !== null && waitUntil < tableAt ? waitUntil : tableAt;
}

/** True when the request joins the waiting list once the venue is full. A guest with a table does not wait for another. */
export function mayWait(booking: Pick<Booking, 'waitUntil' | 'tableAt' | 'held'>, now: Date): boolean {
  return booking.waitUntil !== null && booking.held === null && waitEnd(booking) > now;
}

export async function waitingAnswer(db: Db, booking: Booking): Promise<WaitingAnswer> {
  const { placeId, date, id, waitingSince: since } = booking;
  if (!isWaiting(booking) || since === null) return null;
  const [row] = await db<{ ahead: number }[]>`
    select count(*)::int as ahead from booking
    where waiting and place_id = ${placeId} and date = ${date} and (waiting_since, id) < (${since}, ${id})`;
  return { since: since.toISOString(), until: waitEnd(booking).toISOString(), ahead: row?.ahead ?? 0 };
}
