import type { Db } from '../core/postgres/db.ts';
import { MINUTE_MS } from '../core/time.ts';
import { momentText, secondsUntil, startOf } from './periods.ts';

/** Who is counted for what, and in which window: one row of the one table. */
export interface RowName {
  kind: 'reads' | 'calls' | 'unkeyed' | 'ceiling';
  name: string;
  startMs: number;
  /** The minute within the window that has a ceiling of its own. */
  minuteMs?: number;
}

/** How much of a window is used, and of its minute. */
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

/** Forgets windows that have passed, a minute ago for clocks that differ. Rows that somebody is writing are left. */
export async function forgetPastWindows(
  db: Db,
  now: Date,
  kinds: readonly RowName['kind'][] = ['reads', 'ceiling', 'unkeyed'],
): Promise<void> {
  const before = new Date(now.getTime() - MINUTE_MS);
  for (let gone = FORGET_MAX; gone === FORGET_MAX;) {
    const forgotten = await db`
      delete from rate_window where kind = any(${kinds}) and (kind, name, starts_at) in (
        select kind, name, starts_at from rate_window where kind = any(${kinds}) and ends_at < ${before}
        limit ${FORGET_MAX} for update skip locked)`;
    gone = forgotten.count;
  }
}

export interface Limit {
  /** What is counted, with the account or address it is counted for. */
  name: string;
  max: number;
  windowMs: number;
  /** False where calls are counted as far as there is room, and none is refused. */
  refuses?: false | undefined;
}

export interface Taken {
  allowed: boolean;
  remaining: number;
  resetsInSeconds: number;
}

/** Takes one from a fixed window, exactly, whatever node asks. A refused take leaves the count as it is. */
export async function takeFromWindow(db: Db, limit: Limit, now: Date): Promise<Taken> {
  const [taken] = await takeFromWindows(db, [limit], now);
  if (taken === undefined) throw new Error('A window was not taken from.');
  return taken;
}

/** Gives back what was taken at a moment, because it came to nothing bad. */
export async function giveBack(db: Db, limit: Limit, takenAt: Date): Promise<void> {
  const { kind, name, startMs } = rowOf(limit, takenAt);
  await db`
    update rate_window set used = used - 1
    where kind = ${kind} and name = ${name} and starts_at = ${momentText(startMs)}::timestamptz and used > 0`;
}

/**
 * Takes one from each in one statement, from the shortest first, which is also the order of locks. Once one refuses, none
 * is taken from those that follow: they are undefined.
 */
export async function takeFromWindows(
  db: Db,
  limits: readonly Limit[],
  now: Date,
): Promise<(Taken | undefined)[]> {
  const order = limits
    .map((limit) => ({ limit, row: rowOf(limit, now) }))
    .sort((a, b) => a.limit.windowMs - b.limit.windowMs || (a.limit.name < b.limit.name ? -1 : 1));
  let [steps, found] = [db``, db``];
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
    found = db`${found} ${i === 0 ? db`` : db`union all`} select name, used::float8 as used from ${db(step)}`;
    if (limit.refuses !== false) gate = step;
  }
  const counted = await db<{ name: string; used: number }[]>`with ${steps} ${found}`;
  const used = new Map(counted.map((row) => [row.name, row.used]));
  const full = order.findIndex(({ limit }) => limit.refuses !== false && !used.has(limit.name));
  const left = new Set(full === -1 ? [] : order.slice(full + 1).map(({ limit }) => limit));
  return limits.map((limit) => {
    if (left.has(limit)) return undefined;
    const count = used.get(limit.name);
    const resetsInSeconds = secondsUntil(rowOf(limit, now).endMs, now);
    return { allowed: count !== undefined, remaining: limit.max - (count ?? limit.max), resetsInSeconds };
  });
}

/** The row of a limit at a moment. */
export function rowOf({ name, windowMs }: Limit, now: Date): RowName & { endMs: number } {
  const startMs = startOf(windowMs, now);
  return { kind: 'ceiling', name, startMs, endMs: startMs + windowMs };
}
