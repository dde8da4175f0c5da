import type { Log } from '../core/log.ts';
import { LockedReceivers } from './locked-receivers.ts';

declare module '../core/context.ts' {
  interface Deps {
    deliveryPool: DeliveryPool;
  }
}

const AT_ONCE_MAX = 256;

/** Runs deliveries outside the job queue, whose few slots unresponsive receivers would occupy. */
export class DeliveryPool {
  readonly locked = new LockedReceivers();
  readonly #log: Log;
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #ending = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  async room(): Promise<void> {
    while (this.#underWay.size >= AT_ONCE_MAX) await Promise.race(this.#underWay.keys());
  }

  countTo(receiver: string): number {
    return this.#underWay
      .values()
      .filter((one) => one === receiver)
      .reduce((sum) => sum + 1, 0);
  }

  start(receiver: string, work: (signal: AbortSignal) => Promise<void>): void {
    const running: Promise<void> = work(this.#ending.signal)
      .catch((thrown: unknown) => {
        this.#log.error({ err: thrown }, 'a delivery could not be recorded; it will be repeated');
      })
      .finally(() => this.#underWay.delete(running));
    this.#underWay.set(running, receiver);
  }

  /** Aborts all running deliveries and waits until their leases are released. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#underWay.keys());
  }
}
