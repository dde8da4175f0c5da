import type { Log } from '../core/log.ts';
import { LockedReceivers } from './locked-receivers.ts';

declare module '../core/context.ts' {
  interface Deps {
    /** Webhook deliveries and callbacks that this node is making. */
    outgoing: Outgoing;
  }
}

const AT_ONCE_MAX = 256;

/**
 * Work that mostly waits for others. It runs beside the job queue, whose few places would all be taken by receivers that
 * do not answer. Whatever runs here has noted in the database what is to happen if this process dies.
 */
export class Outgoing {
  readonly locked = new LockedReceivers();
  readonly #log: Log;
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #ending = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Waits until one more can be started. */
  async room(): Promise<void> {
    while (this.#underWay.size >= AT_ONCE_MAX) await Promise.race(this.#underWay.keys());
  }

  /** How much is under way to a receiver. */
  countTo(receiver: string): number {
    return this.#underWay
      .values()
      .filter((one) => one === receiver)
      .reduce((sum) => sum + 1, 0);
  }

  start(receiver: string, work: (signal: AbortSignal) => Promise<void>): void {
    const running: Promise<void> = work(this.#ending.signal)
      .catch((thrown: unknown) => {
        this.#log.error({ err: thrown }, 'a delivery could not be noted; it will be made again');
      })
      .finally(() => this.#underWay.delete(running));
    this.#underWay.set(running, receiver);
  }

  /** Calls everything off that is under way, and waits until it has been given back. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#underWay.keys());
  }
}
