import { setTimeout as pause } from 'node:timers/promises';
import { isLocked, LockedError } from '../core/postgres/db.ts';
import { LEASE_MS } from './attempt.ts';

/** For so long nobody waits for a row that somebody else was found to hold. */
const PASS_BY_MS = 1_000;
const TRY_AGAIN_MS = 500;

/**
 * Receivers whose rows somebody else holds. Many jobs may be due for one of them: only the first of them find that out by
 * waiting, so that the others' jobs are not kept from their places.
 */
export class LockedReceivers {
  readonly #foundAt = new Map<string, number>();

  /** Locks the row of a receiver, or throws at once when it was found locked a moment ago. */
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

/**
 * Records the outcome of an attempt. While another session locks a row that it needs, it retries until the lease ends and
 * holds no connection between tries. After the lease another node retries the attempt.
 */
export async function untilNoted(signal: AbortSignal, note: () => Promise<void>): Promise<void> {
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
