import type { Db } from '../core/postgres/db.ts';
import { monthOf, monthsUpTo, nextMonth } from './periods.ts';
import { REVENUE_SHARE_PCT } from './plans.ts';

export interface ToolUsage {
  tool: string;
  calls: number;
  overage_calls: number;
  cost_millicents: number;
}

/** Usage of a partner in the month of a moment, by tool, most used first. */
export function monthUsage(db: Db, partnerId: string, now: Date): Promise<readonly ToolUsage[]> {
  return db<ToolUsage[]>`
    select tool, calls::float8 as calls, overage_calls::float8 as overage_calls, cost_millicents::float8 as cost_millicents
    from partner_usage where partner_id = ${partnerId} and month = ${monthOf(now)}::text::date and calls > 0
    order by calls desc, tool`;
}

export interface MonthTotal {
  month: string;
  calls: number;
  overage_calls: number;
  cost_millicents: number;
}

/** Usage of a partner in each of the last months, oldest first, including months without calls. */
export async function usageByMonth(
  db: Db,
  partnerId: string,
  now: Date,
  count: number,
): Promise<MonthTotal[]> {
  const months = monthsUpTo(now, count);
  const rows = await db<MonthTotal[]>`
    select month::text, sum(calls)::float8 as calls, sum(overage_calls)::float8 as overage_calls,
           sum(cost_millicents)::float8 as cost_millicents
    from partner_usage where partner_id = ${partnerId} and month = any(${months}::text[]::date[]) group by month`;
  const rowsByMonth = new Map(rows.map((row) => [row.month, row]));
  return months.map(
    (month) => rowsByMonth.get(month) ?? { month, calls: 0, overage_calls: 0, cost_millicents: 0 },
  );
}

interface UsageSum {
  calls: number;
  directoryOverage: number;
  conciergeOverage: number;
  costMillicents: number;
}

export function sumUsage(tools: readonly ToolUsage[]): UsageSum {
  const sum = { calls: 0, directoryOverage: 0, conciergeOverage: 0, costMillicents: 0 };
  for (const { tool, calls, overage_calls, cost_millicents } of tools) {
    sum.calls += calls;
    sum.costMillicents += cost_millicents;
    if (tool === 'concierge_answer') sum.conciergeOverage += overage_calls;
    else sum.directoryOverage += overage_calls;
  }
  return sum;
}

export interface BookingShare {
  originated: number;
  confirmed: number;
  revenue_share_cents: number;
}

/** Bookings and revenue share in a month, based on a configured fee, because guests pay nothing here. */
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
    where partner_id = ${id} and not rehearsal and created_at >= ${from} and created_at < ${nextMonth(now)}`;
  const { originated, confirmed, covers } = row ?? { originated: 0, confirmed: 0, covers: 0 };
  const revenue_share_cents = Math.floor((covers * feePerCoverCents * REVENUE_SHARE_PCT) / 100);
  return { originated, confirmed, revenue_share_cents };
}
