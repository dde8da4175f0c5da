import type { Db } from '../core/postgres/db.ts';

/** Maximum spend of an agent on photos in a UTC day. The constraint photo_spend_daily_cap enforces the same. */
export const DAILY_CAP_CENTS = 5_000;

/** Spend of an agent since midnight UTC, from either kind of credit. Refunds do not reduce it. */
export async function spentOn(db: Db, agentId: string, now: Date): Promise<number> {
  const [row] = await db<{ spent_cents: number }[]>`
    select spent_cents from photo_spend
    where agent_id = ${agentId} and utc_date = ${now.toISOString().slice(0, 10)}::date`;
  return row?.spent_cents ?? 0;
}

/** The next midnight UTC, when the daily spend is reset. */
export function capResetsAt(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
}
