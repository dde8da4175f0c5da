import type { Log } from '../core/log.ts';

declare module '../core/context.ts' {
  interface Deps {
    /** Webhook deliveries that this node is making. */
    outgoing: Outgoing;
  }
}

const AT_ONCE_MAX = 256;

/**
 * Work that mostly waits for others. It runs beside the job queue, whose few hands would all be taken by receivers that
 * do not answer. Whatever runs here has noted in the database what is to happen if this process dies.
 */
export class Outgoing {
  readonly #log: Log;
  readonly #underWay = new Set<Promise<void>>();
  readonly #ending = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Waits until one more can be started. */
  async room(): Promise<void> {
    while (this.#underWay.size >= AT_ONCE_MAX) await Promise.race(this.#underWay);
  }

  start(work: (signal: AbortSignal) => Promise<void>): void {
    const running: Promise<void> = work(this.#ending.signal)
      .catch((thrown: unknown) => {
        this.#log.error({ err: thrown }, 'a webhook delivery could not be noted; it will be made again');
      })
      .finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
  }

  /** Calls everything off that is under way, and waits until it has been given back. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#underWay);
  }
}
