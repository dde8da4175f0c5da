import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../core/memory/maybe-promise.ts';
import { HOUR_MS } from '../../core/time.ts';

/** Attempts per address and hour at locked accounts, which accept only people with a second-factor code. */
const LOCKED_ATTEMPTS_MAX = 100;
const ADDRESSES_MAX = 50_000;

/** Counts attempts at locked accounts by address, so that nobody finds a code by brute force. */
export interface AttemptCounter {
  /** Counts one more attempt. Returns the end of the address's hour once it has exceeded the limit. */
  take(address: string, now: Date): MaybePromise<Date | undefined>;
}

/** Counts in memory, so that refusing strangers does not cost a database query. */
export class LockedAccountLimiter implements AttemptCounter {
  readonly #tried = new LRUCache<string, { attempts: number; endsAt: number }>({
    maxSize: ADDRESSES_MAX,
    sizeCalculation: () => 1,
  });

  take(address: string, now: Date): Date | undefined {
    const counter = this.#tried.get(address);
    if (counter !== undefined && counter.endsAt > now.getTime()) {
      counter.attempts += 1;
      return counter.attempts > LOCKED_ATTEMPTS_MAX ? new Date(counter.endsAt) : undefined;
    }
    this.#tried.set(address, { attempts: 1, endsAt: now.getTime() + HOUR_MS });
    return undefined;
  }
}
