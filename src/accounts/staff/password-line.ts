import type { Standing } from '../sign-in/sign-in-lock.ts';

/** How many wait at most; at a third of a second each, the last of them for eight seconds. */
const WAITING_MAX = 24;

/** So many strangers wait that one more is sent away, before anything is counted or hashed for them. */
export class LineFullError extends Error {}

/** Work that is done one at a time, in the order in which it came. */
class Line {
  #ahead = 0;
  #last: Promise<unknown> = Promise.resolve();

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#ahead > WAITING_MAX) throw new LineFullError('Too many wait for their turn.');
    this.#ahead += 1;
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.#ahead -= 1;
    }
  }
}

/**
 * To hash a password takes a core and 130 MB for a third of a second. Strangers stand in one line, and whoever holds the
 * second factor or acts in a session in another: however many strangers come, one core and the other line stay free.
 */
const LINES = { strangers: new Line(), known: new Line() };

export function inPasswordLine<Result>(standing: Standing, work: () => Promise<Result>): Promise<Result> {
  return LINES[standing === 'stranger' ? 'strangers' : 'known'].take(work);
}
