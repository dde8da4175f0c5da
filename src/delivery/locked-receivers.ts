import { setTimeout as pause } from 'node:timers/promises';
import { isLocked, LockedError } from '../core/postgres/db.ts';
import { LEASE_MS } from './attempt.ts';

/** Period in which further jobs skip a receiver whose row was found locked. */
const PASS_BY_MS = 1_000;
const TRY_AGAIN_MS = 500;

/** Remembers receivers whose rows are locked, so that only the first jobs wait for the lock. */
export class LockedReceivers {
  readonly #foundAt = new Map<string, number>();

  /** Locks the receiver's row, or throws at once if it was found locked within PASS_BY_MS. */
  async lock<Row>(receiver: string, lock: () => Promise<Row>): Promise<Row> {
    const foundAt = this.#foundAt.get(receiver);
    if (foundAt !== undefined && performance.now() - foundAt < PASS_BY_MS) throw new LockedError();
    try {
      const row = await lock();
      this.#foundAt.delete(receiver);
      return row;
    } catch (thrown) {
      if (isLocked(thrown)) this.#foundAt.set(receiver, performance.now());
      throw thrown;
    }
  }
}

/** Records an outcome. While a row is locked it retries until the lease ends, without holding a connection. */
export async function retryWhileLocked(signal: AbortSignal, note: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + LEASE_MS;
  for (;;) {
    try {
      await note();
      return;
    } catch (thrown) {
      if (!isLocked(thrown) || signal.aborted || performance.now() > giveUpAt) throw thrown;
    }
    await pause(TRY_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}
