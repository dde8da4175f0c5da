import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.ts';
import { coalesce } from '../core/memory/coalesce.ts';
import type { Lease } from '../core/memory/lease.ts';
import type { MaybePromise } from '../core/memory/maybe-promise.ts';
import { isUnavailable, type Pool } from '../core/postgres/db.ts';
import { MINUTE_MS } from '../core/time.ts';
import { quotaOf, type MeteredCall, type Quota } from './metered-call.ts';
import { returnUnused, splitIntoStatements, takeFromRows, type Share } from './metered-rows.ts';
import { secondsUntil } from './periods.ts';
import { forgetPastWindows, rowOf, usedOf, type Limit, type RateLimitResult } from './rate-window.ts';
import { mayPrefetch, QuotaPrefetch } from './quota-prefetch.ts';

declare module '../core/context.ts' {
  interface Deps {
    meter: Meter;
  }
}

const BATCH_MAX = 1_000;
/** Within this distance of the month's allowance every call is counted individually: past it they cost money. */
const NEAR_ALLOWANCE = 1_000;
const REMEMBERED_MAX = 50_000;

interface QueuedTake {
  call: MeteredCall;
  calls: 0 | 1;
}

interface Group {
  call: MeteredCall;
  calls: number;
  share: Share;
}

interface Full {
  startMs: number;
  max: number;
}

interface Terms {
  call: MeteredCall;
  minuteUsed: number;
  used: number;
}

/**
 * Counts calls exactly, on any number of nodes and across restarts. A refused call costs nothing, and neither does one
 * that is made while the database cannot count it: then this node alone limits each caller, by the minute.
 */
export class Meter {
  readonly #pool: Pool;
  readonly #prefetch: QuotaPrefetch<Terms>;
  /** Windows known to be full. The maps are emptied at a maximum size, which is cheaper than an LRU cache. */
  readonly #full = { minute: new Map<string, Full>(), whole: new Map<string, Full>() };
  /** Calls of the current minute, or window of a limit, that the database could not count. */
  readonly #here = new LRUCache<string, { minuteMs: number; used: number }>({ max: REMEMBERED_MAX });
  readonly #forgetting: NodeJS.Timeout;
  /** Each kind has its own queue: writes that wait for the disk must not delay those that do not. */
  readonly #queues: Record<MeteredCall['kind'], (waiting: QueuedTake) => Promise<Share>>;

  constructor(pool: Pool, lease: Lease, clock: Clock) {
    this.#pool = pool;
    const queue = () => coalesce((waiting: readonly QueuedTake[]) => this.#takeAll(waiting), BATCH_MAX);
    this.#queues = { reads: queue(), calls: queue(), unkeyed: queue() };
    this.#prefetch = new QuotaPrefetch(
      lease,
      ({ terms: { call } }) => this.#queues[call.kind]({ call, calls: 0 }),
      (stocks) =>
        returnUnused(
          pool,
          stocks.map(({ left, terms }) => ({ row: terms.call, calls: left })),
        ),
    );
    // Every unkeyed caller leaves a row. When the database is unavailable, the next run retries.
    const forget = () => void forgetPastWindows(pool, clock.now(), ['unkeyed']).catch(() => undefined);
    this.#forgetting = setInterval(forget, MINUTE_MS).unref();
  }

  close(): Promise<void> {
    clearInterval(this.#forgetting);
    return this.#prefetch.close();
  }

  take(call: MeteredCall): MaybePromise<Quota> {
    // A read may be returned, so only the database knows whether one is available again.
    if (call.kind !== 'reads') {
      if (this.#isFull(call, 'minute')) return quotaOf(call, 'minute', call.minuteMax, undefined);
      if (this.#isFull(call, 'whole')) return quotaOf(call, 'whole', undefined, call.max);
    }
    const stock = isPrefetched(call) ? this.#prefetch.use(stockName(call), call.minuteMs) : undefined;
    if (stock === undefined)
      return this.#takeFinally(call).catch((thrown: unknown) => this.#takeHere(call, thrown));
    const { left, terms } = stock;
    return quotaOf(call, undefined, terms.minuteUsed - left, terms.used - left);
  }

  /** Returns a call that cost nothing. Its minute stays counted, so that it cannot be repeated without limit. */
  async giveBack(call: MeteredCall): Promise<void> {
    await returnUnused(this.#pool, [{ row: call, calls: 1, keepsMinute: true }]);
  }

  async peek(call: MeteredCall): Promise<Quota> {
    await this.settle(call.name);
    const { minuteUsed, used } = await usedOf(this.#pool, call);
    return quotaOf(call, undefined, minuteUsed, used);
  }

  /** Returns this node's prefetched calls of a caller, so that the count equals the calls made. */
  settle(name: string): Promise<void> {
    return this.#prefetch.settle((stock) => stock.startsWith(`${name} `));
  }

  /** Counts a call. A refusal is repeated after two leases, when other nodes have returned unused quota. */
  async #takeFinally(call: MeteredCall): Promise<Quota> {
    const first = await this.#takeNow(call);
    if (first.refused === undefined || !isHeldElsewhere(call, first.refused)) return first.quota;
    const { refused, quota } =
      isPrefetched(call) && !this.#isFull(call, first.refused)
        ? await this.#prefetch.lapsed().then(() => this.#takeNow(call))
        : first;
    if (refused !== undefined && isHeldElsewhere(call, refused)) this.#setFull(call, refused);
    return quota;
  }

  /** Counts a call in this process, because the database is unavailable. The usage of the day or month is unknown. */
  #takeHere(call: MeteredCall, thrown: unknown): Quota {
    if (!isUnavailable(thrown)) throw thrown;
    const { session, name, minuteMs, minuteMax, max } = call;
    const used = this.#usedHere(session ?? name, minuteMs);
    const isRefused = used >= minuteMax || (session !== undefined && this.#usedHere(name, minuteMs) >= max);
    if (isRefused) return quotaOf(call, 'minute', minuteMax, undefined);
    for (const counted of session === undefined ? [name] : [session, name])
      this.#here.set(counted, { minuteMs, used: this.#usedHere(counted, minuteMs) + 1 });
    return quotaOf(call, undefined, used + 1, undefined);
  }

  /** Counts a call against limits in this process, because the database is unavailable. */
  takeLimitsHere(limits: readonly Limit[], now: Date, thrown: unknown): RateLimitResult[] {
    if (!isUnavailable(thrown)) throw thrown;
    const counts = limits.map((limit) => {
      const { startMs, endMs } = rowOf(limit, now);
      return { limit, startMs, endMs, used: this.#usedHere(limit.name, startMs) };
    });
    const isFull = counts.some(({ limit, used }) => limit.refuses !== false && used >= limit.max);
    return counts.map(({ limit: { name, max }, startMs, endMs, used }) => {
      if (!isFull) this.#here.set(name, { minuteMs: startMs, used: used + 1 });
      const remaining = Math.max(0, max - used - (isFull ? 0 : 1));
      return { allowed: used < max, remaining, resetsInSeconds: secondsUntil(endMs, now) };
    });
  }

  #usedHere(name: string, minuteMs: number): number {
    const counted = this.#here.get(name);
    return counted?.minuteMs === minuteMs ? counted.used : 0;
  }

  /** The first call of a batch gets the first remaining unit, so that the reported quota counts down one by one. */
  async #takeNow(call: MeteredCall): Promise<{ refused: keyof Share | undefined; quota: Quota }> {
    const { minute, whole } = await this.#queues[call.kind]({ call, calls: 1 });
    let refused: keyof Share | undefined;
    if (minute.left === 0) refused = minute.used >= call.minuteMax ? 'minute' : 'whole';
    else {
      minute.left--;
      minute.used++;
      if (whole.left === 0) refused = 'whole';
      else {
        whole.left--;
        whole.used++;
      }
    }
    return { refused, quota: quotaOf(call, refused, minute.used, whole.used) };
  }

  async #takeAll(waiting: readonly QueuedTake[]): Promise<Share[]> {
    const groups = new Map<string, Group>();
    const groupPerTake = waiting.map(({ call, calls }) => {
      const key = `${call.session ?? ''} ${stockName(call)} ${call.minuteMs}`;
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = { call, calls: 0, share: NOTHING }));
      group.calls += calls;
      return group;
    });
    for (const round of splitIntoStatements(groups.values(), rowChanges)) {
      const requests = round.map(({ call, calls }) => {
        const extra = isPrefetched(call) ? this.#prefetch.more(stockName(call), call.minuteMs, calls) : 0;
        return { row: call, calls, requested: calls + extra };
      });
      const askedAt = performance.now();
      const shares = await takeFromRows(this.#pool, requests);
      for (const [i, group] of round.entries()) {
        group.share = shares[i] ?? NOTHING;
        if (isPrefetched(group.call)) this.#storeExtra(group, askedAt);
      }
    }
    return groupPerTake.map(({ share }) => share);
  }

  #storeExtra({ call, calls, share: { minute, whole } }: Group, askedAt: number): void {
    const minuteUsed = minute.used + minute.left;
    const used = whole.used + whole.left;
    const extra = Math.max(0, Math.min(minute.left, whole.left) - calls);
    minute.left -= extra;
    whole.left -= extra;
    const reserve = call.kind === 'calls' ? NEAR_ALLOWANCE : 0;
    const room = Math.min(call.minuteMax - minuteUsed, call.max - used - reserve);
    const terms = { call, minuteUsed, used };
    this.#prefetch.keep(
      { name: stockName(call), minuteMs: call.minuteMs, calls, extra, room, terms },
      askedAt,
    );
  }

  /** A window that was full for a smaller limit may have room under a larger one. */
  #isFull(call: MeteredCall, which: keyof Share): boolean {
    const full = this.#full[which].get(nameOf(call, which));
    if (full === undefined) return false;
    return which === 'minute'
      ? full.startMs === call.minuteMs && call.minuteMax <= full.max
      : full.startMs === call.startMs && call.max <= full.max;
  }

  #setFull(call: MeteredCall, which: keyof Share): void {
    if (this.#full[which].size >= REMEMBERED_MAX) this.#full[which].clear();
    const { minuteMs, minuteMax, startMs, max } = call;
    const full = which === 'minute' ? { startMs: minuteMs, max: minuteMax } : { startMs, max };
    this.#full[which].set(nameOf(call, which), full);
  }
}

const NOTHING: Share = { minute: { used: 0, left: 0 }, whole: { used: 0, left: 0 } };

function isPrefetched({ minuteMax, max }: MeteredCall): boolean {
  return mayPrefetch(minuteMax, max);
}

/**
 * True when another node may hold prefetched quota of the refusing window. Near the end of a partner's
 * monthly allowance no node prefetches, and a refusal there is not remembered, because other calls may still
 * be paid for.
 */
function isHeldElsewhere({ kind }: MeteredCall, refused: keyof Share): boolean {
  return kind !== 'calls' || refused === 'minute';
}

/** Returns the key of a prefetched stock. It contains the limits, so that a changed plan gets a new stock. */
function stockName({ name, tool = '', max, minuteMax }: MeteredCall): string {
  return `${name} ${tool} ${max} ${minuteMax}`;
}

/**
 * Returns the rows that a group of calls changes, each with the name of the change. Two changes with
 * different names (another tool, plan or minute) cannot be made to one row by one statement.
 */
function rowChanges({ call }: Group): (readonly [row: string, change: string])[] {
  const own = [call.name, `${stockName(call)} ${call.minuteMs}`] as const;
  return call.session === undefined ? [own] : [own, [call.session, call.name]];
}

function nameOf({ session, name }: MeteredCall, which: keyof Share): string {
  return which === 'minute' ? (session ?? name) : name;
}
