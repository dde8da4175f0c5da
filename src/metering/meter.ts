import type { Clock } from '../core/clock.ts';
import { coalesce } from '../core/memory/coalesce.ts';
import type { Lease } from '../core/memory/lease.ts';
import type { NowOrLater } from '../core/memory/now-or-later.ts';
import type { Pool } from '../core/postgres/db.ts';
import { MINUTE_MS } from '../core/time.ts';
import { quotaOf, type MeteredCall, type Quota } from './metered-call.ts';
import { giveBack, roundsOf, takeFromRows, type Share } from './metered-rows.ts';
import { forgetPastWindows, usedOf } from './rate-window.ts';
import { mayTakeAhead, TakenAhead } from './taken-ahead.ts';

declare module '../core/context.ts' {
  interface Deps {
    meter: Meter;
  }
}

const BATCH_MAX = 1_000;
/** So near to what the month includes every call is counted by itself: past it they cost money. */
const NEAR_ALLOWANCE = 1_000;
const REMEMBERED_MAX = 50_000;

/** What waits for a statement: a call, or none but what is taken ahead. */
interface Waiting {
  call: MeteredCall;
  calls: 0 | 1;
}

/** All calls of a batch that are counted alike. */
interface Group {
  call: MeteredCall;
  calls: number;
  share: Share;
}

interface Full {
  startMs: number;
  max: number;
}

/** What the figures of a stock are counted from. */
interface Terms {
  call: MeteredCall;
  minuteUsed: number;
  used: number;
}

/**
 * Counts reads of agents, calls of partners and calls without a key, exactly, on any number of nodes and over restarts.
 * A call that the minute refuses is not taken from the day, month or address, and one that is refused costs nothing.
 */
export class Meter {
  readonly #pool: Pool;
  readonly #ahead: TakenAhead<Terms>;
  /** Windows that were found full. Their counts only grow, so that whoever goes on asking is refused from memory. */
  readonly #full = { minute: new Map<string, Full>(), whole: new Map<string, Full>() };
  readonly #forgetting: NodeJS.Timeout;
  /** Each kind has its own queue: what waits for the disk must not hold up what does not. */
  readonly #queues: Record<MeteredCall['kind'], (waiting: Waiting) => Promise<Share>>;

  constructor(pool: Pool, lease: Lease, clock: Clock) {
    this.#pool = pool;
    const queue = () => coalesce((waiting: readonly Waiting[]) => this.#takeAll(waiting), BATCH_MAX);
    this.#queues = { reads: queue(), calls: queue(), unkeyed: queue() };
    this.#ahead = new TakenAhead(
      lease,
      ({ terms: { call } }) => this.#queues[call.kind]({ call, calls: 0 }),
      (stocks) =>
        giveBack(
          pool,
          stocks.map(({ left, terms }) => ({ row: terms.call, calls: left })),
        ),
    );
    // Every caller without a key leaves a row, and there may be thousands in a second; a database that is gone is asked again.
    const forget = () => void forgetPastWindows(pool, clock.now(), ['unkeyed']).catch(() => undefined);
    this.#forgetting = setInterval(forget, MINUTE_MS).unref();
  }

  close(): Promise<void> {
    clearInterval(this.#forgetting);
    return this.#ahead.close();
  }

  take(call: MeteredCall): NowOrLater<Quota> {
    // A read may be given back, so that only the database knows whether there is one again.
    if (call.kind !== 'reads') {
      if (this.#isFull(call, 'minute')) return quotaOf(call, 'minute', call.minuteMax, undefined);
      if (this.#isFull(call, 'whole')) return quotaOf(call, 'whole', undefined, call.max);
    }
    const stock = isAhead(call) ? this.#ahead.use(stockName(call), call.minuteMs) : undefined;
    if (stock === undefined) return this.#takeFinally(call);
    const { left, terms } = stock;
    return quotaOf(call, undefined, terms.minuteUsed - left, terms.used - left);
  }

  /**
   * Gives back one that was taken and turned out to cost nothing. Its minute stays counted: the work was done, and a
   * caller could otherwise have it done without end.
   */
  async giveBack(call: MeteredCall): Promise<void> {
    await giveBack(this.#pool, [{ row: call, calls: 1, keepsMinute: true }]);
  }

  /** What is left, without taking any of it. */
  async peek(call: MeteredCall): Promise<Quota> {
    await this.settle(call.name);
    const { minuteUsed, used } = await usedOf(this.#pool, call);
    return quotaOf(call, undefined, minuteUsed, used);
  }

  /** Makes what is counted of a caller what it called, as far as this node is concerned. */
  settle(name: string): Promise<void> {
    return this.#ahead.settle((stock) => stock.startsWith(`${name} `));
  }

  /** Another node may hold some of what is missing, for two leases at most; after that a refusal is final. */
  async #takeFinally(call: MeteredCall): Promise<Quota> {
    const first = await this.#takeNow(call);
    if (first.refused === undefined || !isHeldElsewhere(call, first.refused)) return first.quota;
    const { refused, quota } =
      isAhead(call) && !this.#isFull(call, first.refused)
        ? await this.#ahead.lapsed().then(() => this.#takeNow(call))
        : first;
    if (refused !== undefined && isHeldElsewhere(call, refused)) this.#setFull(call, refused);
    return quota;
  }

  /** The first to ask in a batch gets the first of what was left, so that the figures count down one by one. */
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

  async #takeAll(waiting: readonly Waiting[]): Promise<Share[]> {
    const groups = new Map<string, Group>();
    const found = waiting.map(({ call, calls }) => {
      const key = `${call.session ?? ''} ${stockName(call)} ${call.minuteMs}`;
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = { call, calls: 0, share: NOTHING }));
      group.calls += calls;
      return group;
    });
    for (const round of roundsOf(groups.values(), waysOf)) {
      const asked = round.map(({ call, calls }) => {
        const extra = isAhead(call) ? this.#ahead.more(stockName(call), call.minuteMs, calls) : 0;
        return { row: call, calls, wanted: calls + extra };
      });
      const askedAt = performance.now();
      const shares = await takeFromRows(this.#pool, asked);
      for (const [i, group] of round.entries()) {
        group.share = shares[i] ?? NOTHING;
        if (isAhead(group.call)) this.#keepExtra(group, askedAt);
      }
    }
    return found.map(({ share }) => share);
  }

  /** What was granted beyond the calls that waited becomes the stock of the next ones. */
  #keepExtra({ call, calls, share: { minute, whole } }: Group, askedAt: number): void {
    const minuteUsed = minute.used + minute.left;
    const used = whole.used + whole.left;
    const extra = Math.max(0, Math.min(minute.left, whole.left) - calls);
    minute.left -= extra;
    whole.left -= extra;
    const reserve = call.kind === 'calls' ? NEAR_ALLOWANCE : 0;
    const room = Math.min(call.minuteMax - minuteUsed, call.max - used - reserve);
    const terms = { call, minuteUsed, used };
    this.#ahead.keep({ name: stockName(call), minuteMs: call.minuteMs, calls, extra, room, terms }, askedAt);
  }

  /** A larger limit than the one that was reached is worth asking again. */
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

function isAhead({ minuteMax, max }: MeteredCall): boolean {
  return mayTakeAhead(minuteMax, max);
}

/** Near the end of a month no node holds anything, and past it other calls may still be paid for. */
function isHeldElsewhere({ kind }: MeteredCall, refused: keyof Share): boolean {
  return kind !== 'calls' || refused === 'minute';
}

/** A plan that has changed has stocks of its own: what was left below one ceiling says nothing of another. */
function stockName({ name, tool = '', max, minuteMax }: MeteredCall): string {
  return `${name} ${tool} ${max} ${minuteMax}`;
}

/** Sessions of an address are counted in it together; another tool, plan or minute is another change of the row. */
function waysOf({ call }: Group): (readonly [row: string, way: string])[] {
  const own = [call.name, `${stockName(call)} ${call.minuteMs}`] as const;
  return call.session === undefined ? [own] : [own, [call.session, call.name]];
}

function nameOf({ session, name }: MeteredCall, which: keyof Share): string {
  return which === 'minute' ? (session ?? name) : name;
}
