import { setTimeout as pause } from 'node:timers/promises';
import type { Standing } from '../sign-in/sign-in-lock.ts';

/** How many wait at most; at a third of a second each, the last of them for eight seconds. */
const WAITING_MAX = 24;

/** So many strangers wait that one more is sent away, before anything is counted or hashed for them. */
export class LineFullError extends Error {}

/** Work that is done one at a time, in the order in which it came. */
class Line {
  readonly #waitingMax: number;
  #ahead = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#ahead > this.#waitingMax) throw new LineFullError('Too many wait for their turn.');
    this.#ahead += 1;
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.#ahead -= 1;
    }
  }

  /** Until nobody is in it any more. */
  async untilEmpty(): Promise<void> {
    while (this.#ahead > 0) await this.#last;
  }
}

/**
 * To hash a password takes a core and 130 MB for a third of a second. Strangers stand in one line, and whoever holds the
 * second factor or acts in a session in another, which goes first: however many strangers come, one core stays free, and
 * nobody who is known waits for one of them.
 */
const LINES = { strangers: new Line(WAITING_MAX), known: new Line(WAITING_MAX) };

/** How long the last of them took. */
let lastMs = 350;

export function inPasswordLine<Result>(standing: Standing, work: () => Promise<Result>): Promise<Result> {
  const timed = async () => {
    const startedAt = performance.now();
    const result = await work();
    lastMs = performance.now() - startedAt;
    return result;
  };
  if (standing !== 'stranger') return LINES.known.take(timed);
  return LINES.strangers.take(async () => {
    await LINES.known.untilEmpty();
    return timed();
  });
}

const REFUSALS = new Line(Number.POSITIVE_INFINITY);

/**
 * Whoever is refused waits as long as a password would take, so that a wrong code is not told from a right one by the time,
 * and then for a turn, one in each round of the event loop while nobody who is known waits. Strangers who send the next
 * attempt as soon as the last is answered are thereby as many as the node has time for.
 */
export async function untilRefused(): Promise<void> {
  await pause(lastMs);
  return REFUSALS.take(async () => {
    await LINES.known.untilEmpty();
    await new Promise((resolve) => setImmediate(resolve));
  });
}
