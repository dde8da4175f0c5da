import { setTimeout as pause } from 'node:timers/promises';
import type { Entered, Gate } from '../../core/workers/gate.ts';
import type { Standing } from '../sign-in/sign-in-lock.ts';

declare module '../../core/context.ts' {
  interface Deps {
    passwordLine: PasswordLine;
  }
}

/** How many wait at most; at a third of a second each, the last of them for eight seconds. */
const WAITING_MAX = 24;
const FULL_WAIT_SECONDS = 10;

/** So many strangers wait that one more is sent away, before anything is counted or hashed for them. */
export class LineFullError extends Error {}

/** Turns that are had one at a time, in the order in which they were asked for. */
class Line {
  readonly #waitingMax: number;
  #ahead = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Gives what ends the turn; undefined where too many wait. */
  async enter(): Promise<(() => void) | undefined> {
    if (this.#ahead > this.#waitingMax) return undefined;
    this.#ahead += 1;
    const before = this.#last;
    const turn = Promise.withResolvers<undefined>();
    this.#last = turn.promise;
    await before;
    return () => {
      this.#ahead -= 1;
      turn.resolve(undefined);
    };
  }

  /** Until nobody is in it any more. */
  async untilEmpty(): Promise<void> {
    while (this.#ahead > 0) await this.#last;
  }
}

/**
 * To hash a password takes a core and 130 MB for a third of a second. Strangers stand in one line, and whoever holds the
 * second factor or acts in a session in another, which goes first: however many strangers come, one core stays free, and
 * nobody who is known waits for one of them. These are the lines of all processes of a node.
 */
export class PasswordGate implements Gate {
  readonly #strangers = new Line(WAITING_MAX);
  readonly #known = new Line(WAITING_MAX);

  async enter(who: string): Promise<Entered> {
    const isStranger = who === 'stranger';
    const leave = await (isStranger ? this.#strangers : this.#known).enter();
    if (leave === undefined) return { waitSeconds: FULL_WAIT_SECONDS };
    if (isStranger) await this.#known.untilEmpty();
    return leave;
  }
}

/** Where whoever wants a password hashed waits for their turn. */
export class PasswordLine {
  readonly #gate: Gate;
  readonly #refusals = new Line(Number.POSITIVE_INFINITY);
  /** Those who are known and have or await a turn in this process. */
  readonly #known = new Set<Promise<unknown>>();
  /** How long the last hash took. */
  #lastMs = 350;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  async take<Result>(standing: Standing, work: () => Promise<Result>): Promise<Result> {
    const mine = this.#inTurn(standing, work);
    if (standing === 'stranger') return mine;
    this.#known.add(mine);
    try {
      return await mine;
    } finally {
      this.#known.delete(mine);
    }
  }

  /**
   * Whoever is refused waits as long as a password would take, so that a wrong code is not told from a right one by the
   * time, and then for a turn, one in each round of the event loop while nobody who is known waits. Strangers who send the
   * next attempt as soon as the last is answered are thereby as many as the process has time for.
   */
  async untilRefused(): Promise<void> {
    await pause(this.#lastMs);
    const leave = await this.#refusals.enter();
    while (this.#known.size > 0) await Promise.allSettled(this.#known);
    await new Promise((resolve) => setImmediate(resolve));
    leave?.();
  }

  async #inTurn<Result>(standing: Standing, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.#gate.enter(standing);
    if (typeof leave !== 'function') throw new LineFullError('Too many wait for their turn.');
    try {
      const startedAt = performance.now();
      const result = await work();
      this.#lastMs = performance.now() - startedAt;
      return result;
    } finally {
      leave();
    }
  }
}
