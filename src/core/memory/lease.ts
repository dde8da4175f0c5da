import { setTimeout as pause } from 'node:timers/promises';

declare module '../context.ts' {
  interface Deps {
    lease: Lease;
  }
}

/** A timer may fire slightly early, and a response is sent slightly after the read that it is based on. */
const MARGIN_MS = 20;

/** Time for which a node may use a cached key; prefetched quota lasts two leases. Changes of a key wait for one. */
export class Lease {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }

  async lapsed(): Promise<void> {
    if (this.ms > 0) await pause(this.ms + MARGIN_MS);
  }
}
