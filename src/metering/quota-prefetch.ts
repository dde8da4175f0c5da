import type { Lease } from '../core/memory/lease.ts';

/** Maximum number of units prefetched for one caller, and the minimum that is worth it. */
const PREFETCH_MAX = 64;
const PREFETCH_MIN = 2;
/** Prefetch at most 1/16 of the remaining quota. */
const ROOM_DIVISOR = 16;
/** Lifetime of a stock in leases, and the number of leases whose expected usage it holds. */
const LIFE_LEASES = 2;
const PREFETCH_FACTOR = 2.5;
/** A stock in use is refilled after this fraction of its lifetime. */
const REFILL_AFTER = 0.75;
const CHECKS_PER_LEASE = 16;
const CHECK_MIN_MS = 5;

/** Below these limits, every call is counted individually. */
const MINUTE_MIN = 100;
const PERIOD_MIN = 1_000;

export function mayPrefetch(perMinute: number, perPeriod: number): boolean {
  return perMinute >= MINUTE_MIN && perPeriod >= PERIOD_MIN;
}

/** Stock of one caller's quota on one node: `left` calls that are already counted and not yet made. */
export interface Prefetched<Terms> {
  name: string;
  minuteMs: number;
  left: number;
  terms: Terms;
}

interface Stock<Terms> extends Prefetched<Terms> {
  until: number;
  takenAt: number;
  used: number;
  room: number;
  filled?: Promise<unknown>;
}

/** Units that a statement has taken for a caller, besides those of the waiting calls. */
interface PrefetchResult<Terms> {
  name: string;
  minuteMs: number;
  calls: number;
  extra: number;
  room: number;
  terms: Terms;
}

/**
 * Counts calls of busy callers before they are made, so that most do not wait for the database. It does so
 * only far from any limit, and returns units that are not used within two leases.
 */
export class QuotaPrefetch<Terms> {
  readonly #lease: Lease;
  readonly #lifeMs: number;
  readonly #refill: (stock: Prefetched<Terms>) => Promise<unknown>;
  readonly #giveBack: (stocks: readonly Prefetched<Terms>[]) => Promise<unknown>;
  readonly #stocks = new Map<string, Stock<Terms>>();
  readonly #returning = new Set<Promise<unknown>>();
  #checkTimer: NodeJS.Timeout | undefined;

  constructor(
    lease: Lease,
    refill: (stock: Prefetched<Terms>) => Promise<unknown>,
    giveBack: (stocks: readonly Prefetched<Terms>[]) => Promise<unknown>,
  ) {
    this.#lease = lease;
    this.#lifeMs = LIFE_LEASES * lease.ms;
    this.#refill = refill;
    this.#giveBack = giveBack;
  }

  use(name: string, minuteMs: number): Prefetched<Terms> | undefined {
    const stock = this.#stocks.get(name);
    if (stock === undefined || stock.left === 0 || stock.minuteMs !== minuteMs) return undefined;
    if (stock.until <= performance.now()) return undefined;
    stock.left--;
    stock.used++;
    // A caller that is faster than the check interval would find the next stock empty.
    if (stock.left < stock.used / 2) this.#fill(stock);
    return stock;
  }

  /** Returns what this node holds of a caller, so that the count equals the calls made before somebody reads it. */
  async settle(isOf: (name: string) => boolean): Promise<void> {
    const own = () => [...this.#stocks.values()].filter(({ name }) => isOf(name));
    await Promise.all([...this.#returning, ...own().flatMap(({ filled }) => filled ?? [])]);
    const stocks = own();
    for (const { name } of stocks) this.#stocks.delete(name);
    if (stocks.some(({ left }) => left > 0)) await this.#giveBack(stocks);
  }

  /** Number of units to prefetch for a caller with this many calls waiting. */
  more(name: string, minuteMs: number, calls: number): number {
    const stock = this.#stocks.get(name);
    if (stock?.minuteMs !== minuteMs) return 0;
    const passed = performance.now() - stock.takenAt;
    if (passed >= this.#lifeMs) return 0;
    const soon = (PREFETCH_FACTOR * this.#lease.ms * (stock.used + calls)) / Math.max(passed, 1);
    const more = Math.floor(Math.min(PREFETCH_MAX, stock.room / ROOM_DIVISOR, soon)) - stock.left;
    return more < PREFETCH_MIN ? 0 : more;
  }

  /** Stores a prefetch; its lifetime starts with the query. Near a limit nothing is stored. */
  keep({ name, minuteMs, calls, extra, room, terms }: PrefetchResult<Terms>, askedAt: number): void {
    if (this.#lease.ms === 0) return;
    const before = this.#stocks.get(name);
    const same = before?.minuteMs === minuteMs ? before : undefined;
    if (before !== undefined && same === undefined) this.#return([before]);
    const stock = {
      name,
      minuteMs,
      left: (same?.left ?? 0) + extra,
      terms,
      until: askedAt + this.#lifeMs,
      takenAt: askedAt,
      used: calls,
      room,
    };
    if (stock.left * ROOM_DIVISOR > 2 * room) {
      this.#return([{ ...stock }]);
      stock.left = 0;
    }
    this.#stocks.set(name, stock);
    const everyMs = Math.max(CHECK_MIN_MS, this.#lease.ms / CHECKS_PER_LEASE);
    this.#checkTimer ??= setInterval(() => this.#checkStocks(), everyMs).unref();
  }

  async lapsed(): Promise<void> {
    for (let lease = 0; lease < LIFE_LEASES; lease++) await this.#lease.lapsed();
  }

  async close(): Promise<void> {
    clearInterval(this.#checkTimer);
    // Shutdown does not fail when the database is gone.
    await this.settle(() => true).catch(() => undefined);
  }

  #checkStocks(): void {
    const now = performance.now();
    const refillAfterMs = REFILL_AFTER * this.#lifeMs;
    const expired: Stock<Terms>[] = [];
    for (const stock of this.#stocks.values()) {
      if (stock.until <= now) {
        this.#stocks.delete(stock.name);
        expired.push(stock);
      } else if (stock.left > 0 && stock.used > 0 && now - stock.takenAt > refillAfterMs) {
        this.#startRefill(stock);
      }
    }
    this.#return(expired);
    if (this.#stocks.size > 0) return;
    clearInterval(this.#checkTimer);
    this.#checkTimer = undefined;
  }

  #fill(stock: Stock<Terms>): void {
    if (stock.filled === undefined && this.more(stock.name, stock.minuteMs, 0) > 0) this.#startRefill(stock);
  }

  #startRefill(stock: Stock<Terms>): void {
    // On failure the next call queries the database itself and gets the error.
    stock.filled ??= this.#refill(stock).catch(() => undefined);
  }

  #return(unused: readonly Prefetched<Terms>[]): void {
    const stocks = unused.filter(({ left }) => left > 0);
    if (stocks.length === 0) return;
    // Units that cannot be returned stay counted: better than a call that is counted nowhere.
    const returning = this.#giveBack(stocks)
      .catch(() => undefined)
      .finally(() => this.#returning.delete(returning));
    this.#returning.add(returning);
  }
}
