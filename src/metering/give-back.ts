import type { Pool } from '../core/postgres/db.ts';
import { monthText } from './call-quota.ts';

/** A window of reads: its name, and when it starts. */
interface ReadWindow {
  name: string;
  startMs: number;
}

/** Gives reads back that were taken ahead and not made. Rows are locked in the order in which they are taken. */
export async function giveReadsBack(
  pool: Pool,
  given: readonly (readonly [reads: number, minute: ReadWindow, day: ReadWindow])[],
): Promise<void> {
  await pool.begin(async (sql) => {
    for (const which of [1, 2] as const) {
      const windows = given.map((one) => one[which]);
      await sql`
        update rate_window w set used = greatest(0, w.used - held.reads)
        from (
          select w.name, w.starts_at, g.reads from rate_window w
          join unnest(${windows.map(({ name }) => name)}::text[],
                      ${windows.map(({ startMs }) => new Date(startMs).toISOString())}::text[]::timestamptz[],
                      ${given.map(([reads]) => reads)}::int[]) g(name, starts_at, reads)
            on g.name = w.name and g.starts_at = w.starts_at
          order by w.name for update of w) held
        where w.name = held.name and w.starts_at = held.starts_at`;
    }
  });
}

/** Calls of one partner to one tool that were taken ahead and not made. */
export interface UnmadeCalls {
  partnerId: string;
  tool: string;
  minuteMs: number;
  calls: number;
}

/** They were taken from what the month includes, so that nothing was charged for them. */
export async function giveCallsBack(pool: Pool, unmade: readonly UnmadeCalls[]): Promise<void> {
  const inOrder = unmade.toSorted((a, b) => (a.partnerId < b.partnerId ? -1 : 1));
  await pool.begin(async (sql) => {
    for (const { partnerId, tool, minuteMs, calls } of inOrder) {
      await sql`
        update partner_month m set calls = greatest(0, m.calls - ${calls}),
          minute_used = case when m.minute_at = ${new Date(minuteMs)} then greatest(0, m.minute_used - ${calls})
                        else m.minute_used end,
          by_tool = jsonb_set(m.by_tool, array[${tool}, '0'],
                              to_jsonb(greatest(0, (m.by_tool->${tool}->>0)::bigint - ${calls})))
        where m.partner_id = ${partnerId} and m.month = ${monthText(minuteMs)}::date`;
    }
  });
}
