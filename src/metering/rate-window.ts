import type { Db } from '../core/postgres/db.ts';
import { MINUTE_MS } from '../core/time.ts';
import { momentText, secondsUntil, windowStart } from './periods.ts';

/** Key of a counter row: what is counted, for whom, and in which window. */
export interface RowName {
  kind: 'reads' | 'calls' | 'unkeyed' | 'ceiling';
  name: string;
  startMs: number;
  minuteMs?: number;
}

export async function usedOf(
  db: Db,
  { kind, name, startMs, minuteMs = startMs }: RowName,
): Promise<{ used: number; minuteUsed: number }> {
  const [row] = await db<{ used: number; minute_used: number }[]>`
    select used::float8 as used, case when minute_at = ${new Date(minuteMs)} then minute_used else 0 end as minute_used
    from rate_window where kind = ${kind} and name = ${name} and starts_at = ${new Date(startMs)}`;
  return { used: row?.used ?? 0, minuteUsed: row?.minute_used ?? 0 };
}

const FORGET_MAX = 100_000;

/** Deletes windows that ended more than a minute ago (clocks differ). Rows that are being written are skipped. */
export async function forgetPastWindows(
  db: Db,
  now: Date,
  kinds: readonly RowName['kind'][] = ['reads', 'ceiling', 'unkeyed'],
): Promise<void> {
  const before = new Date(now.getTime() - MINUTE_MS);
  for (let count = FORGET_MAX; count === FORGET_MAX;) {
    const deleted = await db`
      delete from rate_window where kind = any(${kinds}) and (kind, name, starts_at) in (
        select kind, name, starts_at from rate_window where kind = any(${kinds}) and ends_at < ${before}
        limit ${FORGET_MAX} for update skip locked)`;
    count = deleted.count;
  }
}

export interface Limit {
  /** Name of the limit, including the account or address that it is counted for. */
  name: string;
  max: number;
  windowMs: number;
  /** False when calls are counted as far as there is room, and none is refused. */
  refuses?: false | undefined;
}

export interface RateLimitResult {
  allowed: boolean;
  remaining: number;
  resetsInSeconds: number;
}

/** Takes one from a fixed window, exactly, across all nodes. A refused take leaves the count unchanged. */
export async function takeFromWindow(db: Db, limit: Limit, now: Date): Promise<RateLimitResult> {
  const [result] = await takeFromWindows(db, [limit], now);
  if (result === undefined) throw new Error('A window was not counted.');
  return result;
}

/** Returns one unit that was taken at a moment and turned out to be legitimate use. */
export async function returnOne(db: Db, limit: Limit, takenAt: Date): Promise<void> {
  const { kind, name, startMs } = rowOf(limit, takenAt);
  await db`
    update rate_window set used = used - 1
    where kind = ${kind} and name = ${name} and starts_at = ${momentText(startMs)}::timestamptz and used > 0`;
}

/** Takes one from each window, shortest first (the lock order). After a refusal the others are undefined. */
export async function takeFromWindows(
  db: Db,
  limits: readonly Limit[],
  now: Date,
): Promise<(RateLimitResult | undefined)[]> {
  const order = limits
    .map((limit) => ({ limit, row: rowOf(limit, now) }))
    .sort((a, b) => a.limit.windowMs - b.limit.windowMs || (a.limit.name < b.limit.name ? -1 : 1));
  let [steps, selects] = [db``, db``];
  let gate: string | undefined;
  for (const [i, { limit, row }] of order.entries()) {
    const step = `step_${i}`;
    steps = db`${steps} ${i === 0 ? db`` : db`,`} ${db(step)} as (
      insert into rate_window as w (kind, name, starts_at, ends_at, used, ceiling)
      select 'ceiling', ${row.name}::text, ${momentText(row.startMs)}::timestamptz, ${momentText(row.endMs)}::timestamptz, 1,
             ${limit.max}::int
      ${gate === undefined ? db`` : db`where exists (select from ${db(gate)})`}
      on conflict (kind, name, starts_at) do update set used = w.used + 1 where w.used < excluded.ceiling
      returning name, used)`;
    selects = db`${selects} ${i === 0 ? db`` : db`union all`} select name, used::float8 as used from ${db(step)}`;
    if (limit.refuses !== false) gate = step;
  }
  const counted = await db<{ name: string; used: number }[]>`with ${steps} ${selects}`;
  const used = new Map(counted.map((row) => [row.name, row.used]));
  const full = order.findIndex(({ limit }) => limit.refuses !== false && !used.has(limit.name));
  const skipped = new Set(full === -1 ? [] : order.slice(full + 1).map(({ limit }) => limit));
  return limits.map((limit) => {
    if (skipped.has(limit)) return undefined;
    const count = used.get(limit.name);
    const resetsInSeconds = secondsUntil(rowOf(limit, now).endMs, now);
    return { allowed: count !== undefined, remaining: limit.max - (count ?? limit.max), resetsInSeconds };
  });
}

export function rowOf({ name, windowMs }: Limit, now: Date): RowName & { endMs: number } {
  const startMs = windowStart(windowMs, now);
  return { kind: 'ceiling', name, startMs, endMs: startMs + windowMs };
}
