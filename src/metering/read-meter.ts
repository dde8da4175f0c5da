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

  async #takeAll(takes: readonly Take[]): Promise<ReadQuota[]> {
    const asks = takes.map(asksOf);
    const minutes = await this.#takeWindows(asks.map(([minute]) => minute));
    const granted = minutes.map(({ granted: yes }) => yes);
    const days = await this.#takeWindows(
      asks.map(([, day]) => day),
      granted,
    );
    return takes.map(({ now }, i) => {
      const [minute, day] = asks[i] as [Ask, Ask];
      const [tookMinute, tookDay] = [minutes[i] as Taken, days[i] as Taken];
      const refusedBy = !tookMinute.granted ? 'minute' : tookDay.granted ? undefined : 'day';
      return quotaOf(refusedBy, minute, tookMinute.used, day, tookDay.used, now);
    });
  }

  /** Takes one for each ask that is wanted, in one statement, and tells for each whether it came in time. */
  async #takeWindows(asks: readonly Ask[], wanted?: readonly boolean[]): Promise<Taken[]> {
    const totals = new Map<string, Ask & { wanted: number }>();
    for (const [i, ask] of asks.entries()) {
      const known = totals.get(ask.name) ?? { ...ask, wanted: 0 };
      totals.set(ask.name, { ...known, wanted: known.wanted + (wanted?.[i] === false ? 0 : 1) });
    }
    // Rows are locked in one order everywhere, so that two nodes never wait for each other.
    const rows = [...totals.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const taken = await this.#pool<{ name: string; before: number; after: number }[]>`
      insert into rate_window as w (name, starts_at, ends_at, used, ceiling)
      select * from unnest(${rows.map(({ name }) => name)}::text[],
        ${rows.map(({ startMs }) => new Date(startMs).toISOString())}::text[]::timestamptz[],
        ${rows.map(({ startMs, windowMs }) => new Date(startMs + windowMs).toISOString())}::text[]::timestamptz[],
        ${rows.map(({ wanted: count, max }) => Math.min(count, max))}::bigint[], ${rows.map(({ max }) => max)}::bigint[])
      on conflict (name, starts_at) do update
        set used = greatest(w.used, least(w.used + excluded.used, excluded.ceiling)), ceiling = excluded.ceiling
      returning w.name, coalesce(old.used, 0)::int as before, new.used::int as after`;
    const byName = new Map(taken.map((row) => [row.name, { ...row }]));
    return asks.map((ask, i) => {
      const row = byName.get(ask.name);
      if (row === undefined) throw new Error('A counter was not returned.');
      if (wanted?.[i] === false) return { granted: false, used: row.before };
      // The first to ask in a batch gets the first of what was left, so that the figures count down one by one.
      const granted = row.before < row.after;
      if (granted) row.before++;
      return { granted, used: row.before };
    });
  }
}

interface Taken {
  granted: boolean;
  used: number;
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
