import type { Db } from '../../core/postgres/db.ts';
import { escapeLike } from '../../core/text/text.ts';
import type { Booking, ChannelName } from '../booking.ts';
import { BOOKING_SQL, bookingOf, lockBooking, type BookingRow } from '../booking-row.ts';
import type { AnswerContext } from './answer-outcome.ts';
import { cancelByVenue, declineTable } from './settle.ts';

/** A table in the future that a venue has promised, including while a change is requested. */
export interface UpcomingTable {
  booking: Booking;
  placeName: string | null;
}

interface UpcomingTableFilter {
  placeId?: string;
  search?: string;
  /** YYYY-MM-DD, local to the place. */
  date?: string;
}

export async function listUpcomingTables(
  db: Db,
  { placeId, search = '', date }: UpcomingTableFilter,
  { now, limit }: { now: Date; limit: number },
): Promise<UpcomingTable[]> {
  const pattern = `%${escapeLike(search)}%`;
  const rows = await db<(BookingRow & { placeName: string | null })[]>`
    select ${db.unsafe(BOOKING_SQL)}, p.name as "placeName"
    from booking b left join place p on p.id = b.place_id
    where (b.status = 'confirmed' or b.held is not null) and b.table_at > ${now}
      ${placeId === undefined ? db`` : db`and b.place_id = ${placeId}`}
      ${search === '' ? db`` : db`and (p.name ilike ${pattern} or b.id = ${search})`}
      ${date === undefined ? db`` : db`and b.date = ${date}`}
    order by b.table_at, b.id limit ${limit}`;
  return rows.map(({ placeName, ...row }) => ({ booking: bookingOf(row), placeName }));
}

/** A venue's withdrawal of a table that it promised or offered, and the revision that its page showed. */
interface Withdrawal {
  bookingId: string;
  revision: number;
  /** Set on a page of one venue, so that tables of other venues cannot be changed. */
  placeId?: string;
  actor: 'venue' | 'desk';
  channel: ChannelName | null;
}

/** changed: the booking was no longer as the page showed it, and nothing happened. */
type WithdrawalOutcome = 'cancelled' | 'changed' | 'gone';

/** Withdraws a table that the venue promised or offered. Possible on any channel until the time of the table. */
export async function withdrawTable(
  tx: Db,
  ctx: AnswerContext,
  { bookingId, revision, placeId, actor, channel }: Withdrawal,
): Promise<WithdrawalOutcome> {
  const booking = await lockBooking(tx, bookingId);
  if (booking === undefined || (placeId !== undefined && booking.placeId !== placeId)) return 'gone';
  if (booking.revision !== revision || booking.tableAt <= ctx.now) return 'changed';
  if (booking.status === 'confirmed' || booking.held !== null)
    await cancelByVenue({ ...ctx, db: tx }, booking, { actor, channel });
  else if (booking.status === 'offered' && actor === 'venue')
    await declineTable({ ...ctx, db: tx }, booking, { actor, channel, reason: 'offer_withdrawn' });
  else return 'changed';
  ctx.audit(booking.id, { answer: 'cancel', by: actor });
  return 'cancelled';
}
