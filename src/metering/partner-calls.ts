import type { Actor, Surface } from '../core/context.ts';
import type { Clock } from '../core/clock.ts';
import type { Db, Pool } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';

declare module '../core/context.ts' {
  interface Deps {
    partnerCalls: PartnerCalls;
  }
}

const FLUSH_MS = 1_000;
/** Successes, and failures, of one partner that are kept of each flush. All of them are counted. */
export const KEPT_PER_FLUSH = 20;
const PENDING_MAX = 5_000;

export const CALL_LOG_DAYS = 7;
/** The newest calls of a partner that the log keeps. */
export const CALL_LOG_MAX = 1_000;
export const DAY_USAGE_DAYS = 100;

interface FinishedCall {
  actor: Actor | undefined;
  surface: Surface;
  tool: string;
  requestId: string;
  /** Code of the error; undefined for a success. */
  failure: string | undefined;
  ms: number;
}

interface KeptCall extends Omit<FinishedCall, 'actor'> {
  partnerId: string;
  at: Date;
}

interface DayCount {
  partnerId: string;
  day: string;
  surface: Surface;
  tool: string;
  calls: number;
  failed: number;
}

/**
 * Counts the calls of partners by day and keeps the last ones, with one statement a second for all partners. A crash
 * loses the last second; what is billed is counted elsewhere, exactly.
 */
export class PartnerCalls {
  readonly #pool: Pool;
  readonly #clock: Clock;
  #counts = new Map<string, DayCount>();
  #kept: KeptCall[] = [];
  /** Calls kept since the last flush, by partner and outcome. */
  #keptOf = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  note({ actor, surface, tool, requestId, failure, ms }: FinishedCall): void {
    if (actor?.kind !== 'partner') return;
    const { id: partnerId } = actor;
    const at = this.#clock.now();
    this.#count({ partnerId, day: at.toISOString().slice(0, 10), surface, tool }, failure !== undefined);
    const outcome = `${partnerId} ${failure === undefined}`;
    const kept = this.#keptOf.get(outcome) ?? 0;
    if (kept < KEPT_PER_FLUSH && this.#kept.length < PENDING_MAX) {
      this.#keptOf.set(outcome, kept + 1);
      this.#kept.push({ partnerId, at, surface, tool, requestId, failure, ms });
    }
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Stores what was noted, so that a page shows it. When the database is unavailable, it is dropped. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = [...this.#counts.values()];
    const kept = this.#kept;
    if (counts.length > 0) {
      this.#counts = new Map();
      this.#kept = [];
      this.#keptOf = new Map();
      this.#writing = this.#writing.then(() => storeCalls(this.#pool, counts, kept)).catch(() => undefined);
    }
    return this.#writing;
  }

  close(): Promise<void> {
    return this.flush();
  }

  #count(what: Omit<DayCount, 'calls' | 'failed'>, hasFailed: boolean): void {
    const key = `${what.partnerId} ${what.day} ${what.surface} ${what.tool}`;
    let count = this.#counts.get(key);
    if (count === undefined) this.#counts.set(key, (count = { ...what, calls: 0, failed: 0 }));
    count.calls++;
    if (hasFailed) count.failed++;
  }
}

/** Rows are counted in one order everywhere, so that two nodes never wait for each other. */
async function storeCalls(db: Db, counts: readonly DayCount[], kept: readonly KeptCall[]): Promise<void> {
  await db`
    with counted as (
      insert into partner_day_usage as u (partner_id, day, surface, tool, calls, failed)
      select * from unnest(${counts.map((one) => one.partnerId)}::text[], ${counts.map((one) => one.day)}::text[]::date[],
        ${counts.map((one) => one.surface)}::text[], ${counts.map((one) => one.tool)}::text[],
        ${counts.map((one) => one.calls)}::int[], ${counts.map((one) => one.failed)}::int[])
      order by 1, 2, 3, 4
      on conflict (partner_id, day, surface, tool) do update set
        calls = u.calls + excluded.calls, failed = u.failed + excluded.failed
    )
    insert into partner_call (partner_id, at, surface, tool, failure, duration_ms, request_id)
    select * from unnest(${kept.map((one) => one.partnerId)}::text[],
      ${kept.map((one) => one.at.toISOString())}::text[]::timestamptz[], ${kept.map((one) => one.surface)}::text[],
      ${kept.map((one) => one.tool)}::text[], ${kept.map((one) => one.failure ?? null)}::text[],
      ${kept.map((one) => one.ms)}::float4[], ${kept.map((one) => one.requestId)}::text[])`;
}

/** Deletes calls that the log no longer keeps. */
export async function forgetPartnerCalls(db: Db, now: Date): Promise<void> {
  await db`delete from partner_call where at < ${new Date(now.getTime() - CALL_LOG_DAYS * DAY_MS)}`;
  await db`
    delete from partner_call c using (
      select partner_id, (array_agg(id order by id desc))[${CALL_LOG_MAX + 1}::int] as last
      from partner_call group by partner_id having count(*) > ${CALL_LOG_MAX}) past
    where c.partner_id = past.partner_id and c.id <= past.last`;
}

export interface DayTotal {
  day: string;
  directory: number;
  concierge: number;
}

/** Calls of a partner on each of the last days in UTC, the oldest first, including days without calls. */
export async function usageByDay(db: Db, partnerId: string, now: Date, days: number): Promise<DayTotal[]> {
  const first = daysBefore(now, days - 1);
  const rows = await db<DayTotal[]>`
    select day::text, coalesce(sum(calls) filter (where surface = 'partner'), 0)::float8 as directory,
           coalesce(sum(calls) filter (where surface <> 'partner'), 0)::float8 as concierge
    from partner_day_usage where partner_id = ${partnerId} and day >= ${first}::text::date group by day`;
  const rowsByDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, i) => {
    const day = daysBefore(now, days - 1 - i);
    return rowsByDay.get(day) ?? { day, directory: 0, concierge: 0 };
  });
}

export interface ToolTotal {
  surface: Exclude<Surface, 'agent'>;
  tool: string;
  calls: number;
  failed: number;
}

/** Calls of a partner in the last days by tool, the most used first. */
export function usageByTool(
  db: Db,
  partnerId: string,
  now: Date,
  days: number,
): Promise<readonly ToolTotal[]> {
  return db<ToolTotal[]>`
    select surface, tool, sum(calls)::float8 as calls, sum(failed)::float8 as failed
    from partner_day_usage where partner_id = ${partnerId} and day >= ${daysBefore(now, days - 1)}::text::date
    group by surface, tool order by sum(calls) desc, tool`;
}

export interface LoggedCall {
  /** A number as text, for the next page. */
  id: string;
  at: Date;
  surface: Exclude<Surface, 'agent'>;
  tool: string;
  failure: string | null;
  duration_ms: number;
  request_id: string;
}

/** Lists the logged calls of a partner, the newest first. */
export function listPartnerCalls(
  db: Db,
  {
    partnerId,
    onlyFailed = false,
    requestId,
    before,
    limit,
  }: {
    partnerId: string;
    onlyFailed?: boolean;
    requestId?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<readonly LoggedCall[]> {
  return db<LoggedCall[]>`
    select id::text, at, surface, tool, failure, duration_ms, request_id from partner_call
    where partner_id = ${partnerId} and (${!onlyFailed} or failure is not null)
      and (${requestId ?? null}::text is null or request_id = ${requestId ?? null})
      and (${before ?? null}::text is null or id < ${before ?? null}::text::bigint)
    order by partner_call.id desc limit ${limit}`;
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
}
