import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { literally } from '../../core/text/text.ts';
import type { Booking, ChannelName } from '../booking.ts';
import { BOOKING_SQL, bookingOf, lockBooking, type BookingRow } from '../booking-row.ts';
import type { MoveContext } from '../move-booking.ts';
import { cancelByVenue, declineTable } from './settle.ts';

/** A table that a venue has promised and that has yet to come, also while a change of it is asked for. */
export interface StandingTable {
  booking: Booking;
  placeName: string | null;
}

export interface StandingFilter {
  placeId?: string;
  /** Words in the name of the venue, or the id of a booking. */
  search?: string;
  /** YYYY-MM-DD, local to the place. */
  date?: string;
}

/** The promised tables, the next one first. */
export async function listStandingTables(
  db: Db,
  { placeId, search = '', date }: StandingFilter,
  { now, limit }: { now: Date; limit: number },
): Promise<StandingTable[]> {
  const pattern = `%${literally(search)}%`;
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

/** What a venue says about a table that it has promised or offered, on a page that showed it as it was then. */
export interface Withdrawal {
  bookingId: string;
  revision: number;
  /** Where the page belongs to one venue: no other's table is touched. */
  placeId?: string;
  actor: 'venue' | 'desk';
  channel: ChannelName | null;
}

/** changed: it was no longer what the page showed, and nothing happened. */
export type Withdrawn = 'cancelled' | 'changed' | 'gone';

/** The venue cannot keep what it promised or offered: until the time of the table it may say so, by whichever way. */
export async function withdrawTable(
  tx: Db,
  ctx: MoveContext & Pick<Ctx, 'audit'>,
  { bookingId, revision, placeId, actor, channel }: Withdrawal,
): Promise<Withdrawn> {
  const booking = await lockBooking(tx, bookingId);
  if (booking === undefined || (placeId !== undefined && booking.placeId !== placeId)) return 'gone';
  if (booking.revision !== revision || booking.tableAt <= ctx.now) return 'changed';
  if (booking.status === 'confirmed' || booking.held !== null)
    await cancelByVenue(tx, ctx, booking, { actor, channel });
  else if (booking.status === 'offered' && actor === 'venue')
    await declineTable(tx, ctx, booking, { actor, channel, reason: 'offer_withdrawn' });
  else return 'changed';
  ctx.audit(booking.id, { answer: 'cancel', by: actor });
  return 'cancelled';
}
