import type { Lease } from '../core/memory/lease.ts';

/** So much of one caller's quota is taken ahead at most, and a few are not worth it. */
const AHEAD_MAX = 64;
const AHEAD_MIN = 2;
/** Of what is left below a ceiling, one part in so many. */
const SHARE = 16;
/** A stock lives for so many leases, and holds as much as its caller is about to use in somewhat more. */
const LIFE_LEASES = 2;
const FORESIGHT = 2.5;
/** A stock in use is renewed when this part of its life has passed. */
const RENEWED_AFTER = 0.75;
/** How often in the time of a lease the stocks are looked through. */
const LOOKS = 16;
const LOOK_MIN_MS = 5;

/** Ceilings under these are too near: every call is counted by itself. */
const MINUTE_MIN = 100;
const PERIOD_MIN = 1_000;

/** Whether calls under these ceilings may be counted ahead at all. */
export function mayTakeAhead(perMinute: number, perPeriod: number): boolean {
  return perMinute >= MINUTE_MIN && perPeriod >= PERIOD_MIN;
}

/** What one node holds of one caller's quota: `left` calls that are counted already and not yet made. */
export interface Stock<Terms> {
  name: string;
  /** The minute that they were taken from. */
  minuteMs: number;
  left: number;
  terms: Terms;
}

interface Kept<Terms> extends Stock<Terms> {
  until: number;
  takenAt: number;
  /** What was used since it was last taken. */
  used: number;
  /** What was left below the nearest ceiling. */
  room: number;
  /** Set once more is being taken. */
  filled?: Promise<unknown>;
}

/** What a statement has taken for a caller, beside the calls that waited for it. */
export interface Taken<Terms> {
  name: string;
  minuteMs: number;
  calls: number;
  extra: number;
  room: number;
  terms: Terms;
}

/**
 * Calls of busy callers that a node has counted before they come, so that most need not wait for the database. They are
 * taken in proportion to what the caller used just now, far from any ceiling only, and what is not used within two leases
 * is given back: no call is ever made that was not counted, and none stays counted that was not made.
 */
export class TakenAhead<Terms> {
  readonly #lease: Lease;
  readonly #lifeMs: number;
  readonly #refill: (stock: Stock<Terms>) => Promise<unknown>;
  readonly #giveBack: (stocks: readonly Stock<Terms>[]) => Promise<unknown>;
  readonly #kept = new Map<string, Kept<Terms>>();
  /** What is on its way back. */
  readonly #returning = new Set<Promise<unknown>>();
  #looking: NodeJS.Timeout | undefined;

  constructor(
    lease: Lease,
    refill: (stock: Stock<Terms>) => Promise<unknown>,
    giveBack: (stocks: readonly Stock<Terms>[]) => Promise<unknown>,
  ) {
    this.#lease = lease;
    this.#lifeMs = LIFE_LEASES * lease.ms;
    this.#refill = refill;
    this.#giveBack = giveBack;
  }

  /** Uses one call of a stock; undefined when there is none. */
  use(name: string, minuteMs: number): Stock<Terms> | undefined {
    const stock = this.#kept.get(name);
    if (stock === undefined || stock.left === 0 || stock.minuteMs !== minuteMs) return undefined;
    if (stock.until <= performance.now()) return undefined;
    stock.left--;
    stock.used++;
    // Whoever calls faster than the stocks are looked through would find the next one empty.
    if (stock.left < stock.used / 2) this.#fill(stock);
    return stock;
  }

  /** Gives back what this node holds of a caller, so that what is counted was made: for whoever looks at the count. */
  async settle(isOf: (name: string) => boolean): Promise<void> {
    const own = () => [...this.#kept.values()].filter(({ name }) => isOf(name));
    await Promise.all([...this.#returning, ...own().flatMap(({ filled }) => filled ?? [])]);
    const stocks = own();
    for (const { name } of stocks) this.#kept.delete(name);
    if (stocks.some(({ left }) => left > 0)) await this.#giveBack(stocks);
  }

  /** How many more to take for a caller of whom so many calls are waiting. */
  more(name: string, minuteMs: number, calls: number): number {
    const stock = this.#kept.get(name);
    if (stock?.minuteMs !== minuteMs) return 0;
    const passed = performance.now() - stock.takenAt;
    if (passed >= this.#lifeMs) return 0;
    const soon = (FORESIGHT * this.#lease.ms * (stock.used + calls)) / Math.max(passed, 1);
    const more = Math.floor(Math.min(AHEAD_MAX, stock.room / SHARE, soon)) - stock.left;
    return more < AHEAD_MIN ? 0 : more;
  }

  /** Keeps what was taken, for its life from the question on. Near a ceiling nothing is kept. */
  keep({ name, minuteMs, calls, extra, room, terms }: Taken<Terms>, askedAt: number): void {
    if (this.#lease.ms === 0) return;
    const before = this.#kept.get(name);
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
    if (stock.left * SHARE > 2 * room) {
      this.#return([{ ...stock }]);
      stock.left = 0;
    }
    this.#kept.set(name, stock);
    const everyMs = Math.max(LOOK_MIN_MS, this.#lease.ms / LOOKS);
    this.#looking ??= setInterval(() => {
      this.#look();
    }, everyMs).unref();
  }

  /** Waits until no node holds anything that it took before now and did not use. */
  async lapsed(): Promise<void> {
    for (let lease = 0; lease < LIFE_LEASES; lease++) await this.#lease.lapsed();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    // Whoever ends the service does not wait for a database that is gone.
    await this.settle(() => true).catch(() => undefined);
  }

  #look(): void {
    const now = performance.now();
    const renewedAfterMs = RENEWED_AFTER * this.#lifeMs;
    const over: Kept<Terms>[] = [];
    for (const stock of this.#kept.values()) {
      if (stock.until <= now) {
        this.#kept.delete(stock.name);
        over.push(stock);
      } else if (stock.left > 0 && stock.used > 0 && now - stock.takenAt > renewedAfterMs) {
        this.#renew(stock);
      }
    }
    this.#return(over);
    if (this.#kept.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** Takes more for a stock of which most is used. */
  #fill(stock: Kept<Terms>): void {
    if (stock.filled === undefined && this.more(stock.name, stock.minuteMs, 0) > 0) this.#renew(stock);
  }

  #renew(stock: Kept<Terms>): void {
    // What cannot be taken now is asked for by the next call, which hears why.
    stock.filled ??= this.#refill(stock).catch(() => undefined);
  }

  #return(over: readonly Stock<Terms>[]): void {
    const stocks = over.filter(({ left }) => left > 0);
    if (stocks.length === 0) return;
    // What cannot be given back stays counted: rather that than a call which is counted nowhere.
    const returning = this.#giveBack(stocks)
      .catch(() => undefined)
      .finally(() => this.#returning.delete(returning));
    this.#returning.add(returning);
  }
}
