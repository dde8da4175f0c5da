import type { Db } from '../core/postgres/db.ts';
import { monthOf, nextMonth } from './month.ts';
import { REVENUE_SHARE_PCT } from './plans.ts';

export interface BookingShare {
  /** Tables that the partner asked for in the month. */
  originated: number;
  /** Those of them that the venue has promised and nobody has called off. */
  confirmed: number;
  revenue_share_cents: number;
}

/** What a partner's traffic brought in a month. Guests pay nothing here, so that the share rests on a configured fee. */
export async function bookingShare(
  db: Db,
  { id, bookingsFrom }: { id: string; bookingsFrom: Date | null },
  now: Date,
  feePerCoverCents: number,
): Promise<BookingShare> {
  const start = new Date(monthOf(now));
  const from = bookingsFrom !== null && bookingsFrom > start ? bookingsFrom : start;
  const [row] = await db<{ originated: number; confirmed: number; covers: number }[]>`
    select count(*)::int as originated, count(*) filter (where booked)::int as confirmed,
           coalesce(sum(party_size) filter (where booked), 0)::int as covers
    from booking
    where partner_id = ${id} and created_at >= ${from} and created_at < ${nextMonth(now)}`;
  const { originated, confirmed, covers } = row ?? { originated: 0, confirmed: 0, covers: 0 };
  const revenue_share_cents = Math.floor((covers * feePerCoverCents * REVENUE_SHARE_PCT) / 100);
  return { originated, confirmed, revenue_share_cents };
}
