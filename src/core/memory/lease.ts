import { setTimeout as pause } from 'node:timers/promises';

declare module '../context.ts' {
  interface Deps {
    lease: Lease;
  }
}

/** A timer may ring a little early, and an answer leaves a little after the look that it rests on. */
const MARGIN_MS = 20;

/**
 * How long a node may go on with what it has read: who is behind a key, and the calls that it has counted ahead. Whoever
 * changes such a thing waits for that long after the commit and before the answer, so that from the answer on no node
 * anywhere goes by what was before.
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
