import { ConnectionError } from './connection-error.ts';
import { STATEMENT_TIMEOUT_MS, type InTransaction } from './db.ts';

interface Waiting {
  user: string;
  begin: () => void;
}

/**
 * Divides the transactions of a pool among users, some of which wait for somebody outside while they hold one. Each
 * user can always have one; connections that the others leave free go to the first that asks.
 */
export class TransactionShares {
  readonly #inTransaction: InTransaction;
  readonly #held: Map<string, number>;
  readonly #waiting: Waiting[] = [];
  #free: number;

  constructor(inTransaction: InTransaction, total: number, users: readonly string[]) {
    this.#inTransaction = inTransaction;
    this.#free = Math.max(total, users.length);
    this.#held = new Map(users.map((user) => [user, 0]));
  }

  /** Returns the way of one user into transactions. `signal` ends the wait for one; a request waits for a while. */
  of(user: string, signal?: AbortSignal): InTransaction {
    return async (work) => {
      await this.#take(user, signal ?? AbortSignal.timeout(STATEMENT_TIMEOUT_MS));
      try {
        return await this.#inTransaction(work);
      } finally {
        this.#giveBack(user);
      }
    };
  }

  #take(user: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiting = {
      user,
      begin: () => {
        signal.removeEventListener('abort', leave);
        resolve(undefined);
      },
    };
    const leave = () => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(new ConnectionError('POOL_BUSY'));
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.push(waiting);
    if (signal.aborted) leave();
    else this.#serve();
    return promise;
  }

  #giveBack(user: string): void {
    this.#free++;
    this.#count(user, -1);
    this.#serve();
  }

  #serve(): void {
    for (const waiting of [...this.#waiting]) {
      if (!this.#mayTake(waiting.user)) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      this.#free--;
      this.#count(waiting.user, 1);
      waiting.begin();
    }
  }

  #mayTake(user: string): boolean {
    const withoutAny = [...this.#held].filter(([other, held]) => other !== user && held === 0).length;
    return this.#free > withoutAny;
  }

  #count(user: string, change: number): void {
    this.#held.set(user, (this.#held.get(user) ?? 0) + change);
  }
}
