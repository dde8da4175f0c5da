import { coalesce } from '../core/coalesce.ts';
import type { Pool } from '../core/db.ts';
import { AGENT_PLANS, type AgentPlanName } from './plans.ts';

declare module '../core/context.ts' {
  interface Deps {
    reads: ReadMeter;
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const BATCH_MAX = 1_000;

export interface Window {
  limit: number;
  remaining: number;
  resetsInSeconds: number;
}

export interface ReadQuota {
  /** Which ceiling refused the read; undefined when it was granted. */
  refusedBy: 'day' | 'minute' | undefined;
  day: Window;
  minute: Window;
}

interface Take {
  agentId: string;
  plan: AgentPlanName;
  now: Date;
}

interface Ask {
  name: string;
  startMs: number;
  windowMs: number;
  max: number;
}

/**
 * The daily and per-minute reads of agents, exact across nodes and restarts. A read that the minute refuses is not
 * taken from the day.
 */
export class ReadMeter {
  readonly take: (take: Take) => Promise<ReadQuota>;
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.take = coalesce((takes) => this.#takeAll(takes), BATCH_MAX);
  }

  /** What is left, without taking any of it. */
  async peek({ agentId, plan, now }: Take): Promise<ReadQuota> {
    const [minute, day] = asksOf({ agentId, plan, now });
    const rows = await this.#pool<{ name: string; used: number }[]>`
      select name, used::int as used from rate_window
      where (name, starts_at) in ((${minute.name}, ${new Date(minute.startMs)}), (${day.name}, ${new Date(day.startMs)}))`;
    const usedOf = (ask: Ask) => rows.find(({ name }) => name === ask.name)?.used ?? 0;
    return quotaOf(undefined, minute, usedOf(minute), day, usedOf(day), now);
  }

  /** Takes all in one statement, and tells each taker in turn whether there was one left. */
  async #takeAll(takes: readonly Take[]): Promise<ReadQuota[]> {
    const asks = takes.map(asksOf);
    const accounts = new Map<string, { minute: Ask; day: Ask; wanted: number }>();
    for (const [minute, day] of asks) {
      const account = accounts.get(minute.name);
      if (account === undefined) accounts.set(minute.name, { minute, day, wanted: 1 });
      else account.wanted++;
    }
    const taken = await this.#takeWindows([...accounts.values()]);
    return takes.map(({ now }, i) => {
      const [minute, day] = asks[i] as [Ask, Ask];
      const row = taken.get(minute.name);
      if (row === undefined) throw new Error('A counter was not returned.');
      // The first to ask in a batch gets the first of what was left, so that the figures count down one by one.
      const inMinute = row.minute < row.minute_after;
      const inDay = inMinute && row.day < row.day_after;
      if (inMinute) row.minute++;
      if (inDay) row.day++;
      const refusedBy = !inMinute ? 'minute' : inDay ? undefined : 'day';
      return quotaOf(refusedBy, minute, row.minute, day, row.day, now);
    });
  }

  /** Takes from the minute first, and from the day what the minute granted. */
  async #takeWindows(accounts: { minute: Ask; day: Ask; wanted: number }[]): Promise<Map<string, TakenRow>> {
    // Rows are locked in one order everywhere, so that two nodes never wait for each other.
    const rows = accounts.sort((a, b) => (a.minute.name < b.minute.name ? -1 : 1));
    const at = (ms: number) => new Date(ms).toISOString();
    const taken = await this.#pool<TakenRow[]>`
      with asked as (
        select * from unnest(
          ${rows.map(({ minute }) => minute.name)}::text[], ${rows.map(({ day }) => day.name)}::text[],
          ${rows.map(({ minute }) => at(minute.startMs))}::text[]::timestamptz[],
          ${rows.map(({ day }) => at(day.startMs))}::text[]::timestamptz[],
          ${rows.map(({ minute }) => minute.max)}::bigint[], ${rows.map(({ day }) => day.max)}::bigint[],
          ${rows.map(({ wanted }) => wanted)}::bigint[])
          as t(minute_name, day_name, minute_at, day_at, minute_max, day_max, wanted)
      ), in_minute as (
        insert into rate_window as w (name, starts_at, ends_at, used, ceiling)
        select minute_name, minute_at, minute_at + interval '1 minute', least(wanted, minute_max), minute_max from asked
        on conflict (name, starts_at) do update
          set used = greatest(w.used, least(w.used + excluded.used, excluded.ceiling)), ceiling = excluded.ceiling
        returning w.name, coalesce(old.used, 0) as before, new.used as after
      ), in_day as (
        insert into rate_window as w (name, starts_at, ends_at, used, ceiling)
        select day_name, day_at, day_at + interval '1 day', least(m.after - m.before, day_max), day_max
        from asked join in_minute m on m.name = minute_name order by day_name
        on conflict (name, starts_at) do update
          set used = greatest(w.used, least(w.used + excluded.used, excluded.ceiling)), ceiling = excluded.ceiling
        returning w.name, coalesce(old.used, 0) as before, new.used as after
      )
      select m.name, m.before::int as minute, m.after::int as minute_after,
             d.before::int as day, d.after::int as day_after
      from asked join in_minute m on m.name = minute_name join in_day d on d.name = day_name`;
    return new Map(taken.map((row) => [row.name, { ...row }]));
  }
}

/** How much of both windows was used before a batch, and after it. */
interface TakenRow {
  name: string;
  minute: number;
  minute_after: number;
  day: number;
  day_after: number;
}

function asksOf({ agentId, plan, now }: Take): [minute: Ask, day: Ask] {
  const { reads_per_minute, reads_per_day } = AGENT_PLANS[plan];
  const start = (windowMs: number) => Math.floor(now.getTime() / windowMs) * windowMs;
  return [
    {
      name: `reads-minute/${agentId}`,
      startMs: start(MINUTE_MS),
      windowMs: MINUTE_MS,
      max: reads_per_minute,
    },
    { name: `reads-day/${agentId}`, startMs: start(DAY_MS), windowMs: DAY_MS, max: reads_per_day },
  ];
}

function quotaOf(
  refusedBy: ReadQuota['refusedBy'],
  minute: Ask,
  minuteUsed: number,
  day: Ask,
  dayUsed: number,
  now: Date,
): ReadQuota {
  return { refusedBy, minute: windowOf(minute, minuteUsed, now), day: windowOf(day, dayUsed, now) };
}

function windowOf({ max, startMs, windowMs }: Ask, used: number, now: Date): Window {
  const resetsInSeconds = Math.max(1, Math.ceil((startMs + windowMs - now.getTime()) / 1000));
  return { limit: max, remaining: Math.max(0, max - used), resetsInSeconds };
}
