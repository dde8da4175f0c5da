import { setTimeout as pause } from 'node:timers/promises';

declare module '../context.ts' {
  interface Deps {
    lease: Lease;
  }
}

/** A timer may fire slightly early, and a response is sent slightly after the read that it is based on. */
const MARGIN_MS = 20;

/**
 * The time for which a node may use what it has read: the owner of a key, and the quota that it has prefetched. A
 * write that changes such data waits for that long between its commit and its response, so that once it is answered
 * no node uses the old data.
 */
export class Lease {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }

  async lapsed(): Promise<void> {
    if (this.ms > 0) await pause(this.ms + MARGIN_MS);
  }
}
