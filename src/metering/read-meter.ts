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

  /**
   * Takes from the minute first, and from the day what the minute granted. Lists travel as text, which costs a tenth of
   * the arrays of the protocol.
   */
  async #takeWindows(accounts: { minute: Ask; day: Ask; wanted: number }[]): Promise<Map<string, TakenRow>> {
    // Rows are locked in one order everywhere, so that two nodes never wait for each other.
    const rows = accounts.sort((a, b) => (a.minute.name < b.minute.name ? -1 : 1));
    const column = (value: (row: (typeof rows)[number]) => string | number) => rows.map(value).join('\n');
    const [row] = await this.#pool<{ taken: string }[]>`
      with asked as (
        select * from unnest(
          string_to_array(${column(({ minute }) => minute.name)}, E'\n'),
          string_to_array(${column(({ day }) => day.name)}, E'\n'),
          string_to_array(${column(({ minute }) => momentText(minute.startMs))}, E'\n')::timestamptz[],
          string_to_array(${column(({ day }) => momentText(day.startMs))}, E'\n')::timestamptz[],
          string_to_array(${column(({ minute }) => minute.max)}, E'\n')::bigint[],
          string_to_array(${column(({ day }) => day.max)}, E'\n')::bigint[],
          string_to_array(${column(({ wanted }) => wanted)}, E'\n')::bigint[]) with ordinality
          as t(minute_name, day_name, minute_at, day_at, minute_max, day_max, wanted, item)
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
      select string_agg(concat_ws(' ', m.before, m.after, d.before, d.after), ',' order by item) as taken
      from asked join in_minute m on m.name = minute_name join in_day d on d.name = day_name`;
    const taken = (row?.taken ?? '').split(',');
    return new Map(rows.map(({ minute }, i) => [minute.name, takenRow(taken[i] ?? '')]));
  }
}

const MOMENTS_MAX = 100;
const moments = new Map<number, string>();

/** A moment as text. Nearly all reads are of the same minute and day. */
function momentText(startMs: number): string {
  let text = moments.get(startMs);
  if (text === undefined) {
    if (moments.size >= MOMENTS_MAX) moments.clear();
    moments.set(startMs, (text = new Date(startMs).toISOString()));
  }
  return text;
}

/** How much of both windows was used before a batch, and after it. */
interface TakenRow {
  minute: number;
  minute_after: number;
  day: number;
  day_after: number;
}

function takenRow(text: string): TakenRow {
  const [minute = 0, minute_after = 0, day = 0, day_after = 0] = text.split(' ').map(Number);
  return { minute, minute_after, day, day_after };
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
