import type { Log } from '../core/log.ts';
import { LockedReceivers } from './locked-receivers.ts';

declare module '../core/context.ts' {
  interface Deps {
    /** Runs this node's webhook deliveries and callbacks. */
    deliveryPool: DeliveryPool;
  }
}

const AT_ONCE_MAX = 256;

/**
 * Runs deliveries, which mostly wait for the receiver, outside the job queue: receivers that do not answer would occupy
 * all of its few slots. Every delivery has already recorded in the database what happens if this process dies.
 */
export class DeliveryPool {
  readonly locked = new LockedReceivers();
  readonly #log: Log;
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #ending = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Waits until another delivery can be started. */
  async room(): Promise<void> {
    while (this.#underWay.size >= AT_ONCE_MAX) await Promise.race(this.#underWay.keys());
  }

  /** Number of running deliveries to a receiver. */
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
