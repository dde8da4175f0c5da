import { coalesce } from '../core/memory/coalesce.ts';
import type { Pool } from '../core/postgres/db.ts';
import type { Lease } from '../core/memory/lease.ts';
import type { NowOrLater } from '../core/memory/now-or-later.ts';
import { FullWindows, minuteOf } from './call-quota.ts';
import { AGENT_PLANS, type AgentPlanName } from './plans.ts';
import { giveReadsBack } from './give-back.ts';
import { mayTakeAhead, TakenAhead } from './taken-ahead.ts';

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

/** What waits for a statement: a read, or none but what is taken ahead. */
interface Waiting extends Take {
  reads: 0 | 1;
}

interface Ask {
  name: string;
  startMs: number;
  windowMs: number;
  max: number;
}

/** The reads of one agent in one minute, all of a batch together. */
interface Account {
  take: Take;
  minute: Ask;
  day: Ask;
  reads: number;
  extra: number;
}

/** What the figures of a stock are counted from. */
interface Terms {
  take: Take;
  minuteUsed: number;
  dayUsed: number;
}

/**
 * The daily and per-minute reads of agents, exact across nodes and restarts. A read that the minute refuses is not
 * taken from the day.
 */
export class ReadMeter {
  readonly #pool: Pool;
  readonly #takeOne: (waiting: Waiting) => Promise<ReadQuota>;
  readonly #ahead: TakenAhead<Terms>;
  readonly #refused = new FullWindows();

  constructor(pool: Pool, lease: Lease) {
    this.#pool = pool;
    this.#takeOne = coalesce((waiting) => this.#takeAll(waiting), BATCH_MAX);
    this.#ahead = new TakenAhead(
      lease,
      ({ terms: { take } }) => this.#takeOne({ ...take, reads: 0 }),
      (stocks) =>
        giveReadsBack(
          pool,
          stocks.map(({ left, terms }) => [left, ...asksOf(terms.take)] as const),
        ),
    );
  }

  close(): Promise<void> {
    return this.#ahead.close();
  }

  take(take: Take): NowOrLater<ReadQuota> {
    const stock = this.#ahead.use(take.agentId, minuteOf(take.now));
    if (stock === undefined) return this.#takeFinally(take);
    const { left, terms } = stock;
    const [minute, day] = asksOf(take);
    return quotaOf(undefined, minute, terms.minuteUsed - left, day, terms.dayUsed - left, take.now);
  }

  /** Gives back one that was taken and turned out to cost nothing. */
  async giveBack(take: Take): Promise<void> {
    if (this.#ahead.putBack(take.agentId, minuteOf(take.now))) return;
    await giveReadsBack(this.#pool, [[1, ...asksOf(take)]]);
  }

  /** Another node may hold some of what is missing, for two leases at most; after that a refusal is final. */
  async #takeFinally(take: Take): Promise<ReadQuota> {
    const quota = await this.#takeOne({ ...take, reads: 1 });
    const { refusedBy } = quota;
    if (refusedBy === undefined || !isAhead(take.plan)) return quota;
    const refused = asksOf(take)[refusedBy === 'minute' ? 0 : 1];
    if (this.#refused.has(refused.name, refused.startMs, refused.max)) return quota;
    await this.#ahead.lapsed();
    const last = await this.#takeOne({ ...take, reads: 1 });
    if (last.refusedBy !== undefined) this.#refused.add(refused.name, refused.startMs, refused.max);
    return last;
  }

  /** What is left, without taking any of it. */
  async peek({ agentId, plan, now }: Take): Promise<ReadQuota> {
    await this.#ahead.settle((name) => name === agentId);
    const [minute, day] = asksOf({ agentId, plan, now });
    const rows = await this.#pool<{ name: string; used: number }[]>`
      select name, used::int as used from rate_window
      where (name, starts_at) in ((${minute.name}, ${new Date(minute.startMs)}), (${day.name}, ${new Date(day.startMs)}))`;
    const usedOf = (ask: Ask) => rows.find(({ name }) => name === ask.name)?.used ?? 0;
    return quotaOf(undefined, minute, usedOf(minute), day, usedOf(day), now);
  }

  /** Takes all in one statement, and tells each taker in turn whether there was one left. */
  async #takeAll(waiting: readonly Waiting[]): Promise<ReadQuota[]> {
    const asks = waiting.map(asksOf);
    const accounts = new Map<string, Account>();
    for (const [i, take] of waiting.entries()) {
      const [minute, day] = asks[i] as [Ask, Ask];
      let account = accounts.get(minute.name);
      if (account === undefined)
        accounts.set(minute.name, (account = { take, minute, day, reads: 0, extra: 0 }));
      account.reads += take.reads;
    }
    for (const account of accounts.values()) account.extra = this.#extraFor(account);
    const askedAt = performance.now();
    const taken = await this.#takeWindows([...accounts.values()]);
    for (const account of accounts.values()) this.#keepExtra(account, taken, askedAt);
    return waiting.map(({ now, reads }, i) => {
      const [minute, day] = asks[i] as [Ask, Ask];
      const row = taken.get(minute.name);
      if (row === undefined) throw new Error('A counter was not returned.');
      // The first to ask in a batch gets the first of what was left, so that the figures count down one by one.
      const inMinute = row.minute < row.minute_after;
      const inDay = inMinute && row.day < row.day_after;
      if (inMinute) row.minute += reads;
      if (inDay) row.day += reads;
      const refusedBy = !inMinute ? 'minute' : inDay ? undefined : 'day';
      return quotaOf(refusedBy, minute, row.minute, day, row.day, now);
    });
  }

  #extraFor({ take, minute, reads }: Account): number {
    return isAhead(take.plan) ? this.#ahead.more(take.agentId, minute.startMs, reads) : 0;
  }

  /** What was granted beyond the reads that waited becomes the stock of the next ones. */
  #keepExtra({ take, minute, day, reads }: Account, taken: Map<string, TakenRow>, askedAt: number): void {
    const row = taken.get(minute.name);
    if (row === undefined || !isAhead(take.plan)) return;
    const { minute_after: minuteUsed, day_after: dayUsed } = row;
    const extra = Math.max(0, Math.min(minuteUsed - row.minute, dayUsed - row.day) - reads);
    row.minute_after -= extra;
    row.day_after -= extra;
    const room = Math.min(minute.max - minuteUsed, day.max - dayUsed);
    const terms = { take, minuteUsed, dayUsed };
    this.#ahead.keep(
      { name: take.agentId, minuteMs: minute.startMs, calls: reads, extra, room, terms },
      askedAt,
    );
  }

  /**
   * Takes from the minute first, and from the day what the minute granted. Lists travel as text, which costs a tenth of
   * the arrays of the protocol.
   */
  async #takeWindows(accounts: Account[]): Promise<Map<string, TakenRow>> {
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
          string_to_array(${column(({ reads, extra }) => reads + extra)}, E'\n')::bigint[]) with ordinality
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

function isAhead(plan: AgentPlanName): boolean {
  const { reads_per_minute, reads_per_day } = AGENT_PLANS[plan];
  return mayTakeAhead(reads_per_minute, reads_per_day);
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
