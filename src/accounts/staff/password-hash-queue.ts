import { setTimeout as pause } from 'node:timers/promises';
import type { Entered, Gate } from '../../core/workers/gate.ts';
import type { AttemptTrust } from '../sign-in/sign-in-lock.ts';

declare module '../../core/context.ts' {
  interface Deps {
    passwordHashQueue: PasswordHashQueue;
  }
}

/** Maximum number behind the one being hashed; at a third of a second each, the last one waits eight seconds. */
const WAITING_MAX = 24;
const FULL_WAIT_SECONDS = 10;

/** Thrown when the queue is full, before anything is counted or hashed for the attempt. */
export class QueueFullError extends Error {}

class FifoLock {
  readonly #waitingMax: number;
  #ahead = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

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

  async untilEmpty(): Promise<void> {
    while (this.#ahead > 0) await this.#last;
  }
}

/**
 * Hashing takes a core and 130 MB for a third of a second. Trusted people never wait for strangers, however many
 * come. These queues serve all processes of a node.
 */
export class PasswordGate implements Gate {
  readonly #strangers = new FifoLock(WAITING_MAX);
  readonly #trusted = new FifoLock(WAITING_MAX);

  async enter(who: string): Promise<Entered> {
    const isStranger = who === 'stranger';
    const leave = await (isStranger ? this.#strangers : this.#trusted).enter();
    if (leave === undefined) return { waitSeconds: FULL_WAIT_SECONDS };
    if (isStranger) await this.#trusted.untilEmpty();
    return leave;
  }
}

export class PasswordHashQueue {
  readonly #gate: Gate;
  readonly #refusals = new FifoLock(Number.POSITIVE_INFINITY);
  readonly #trusted = new Set<Promise<unknown>>();
  #lastMs = 350;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  async take<Result>(trust: AttemptTrust, work: () => Promise<Result>): Promise<Result> {
    const result = this.#inTurn(trust, work);
    if (trust === 'stranger') return result;
    this.#trusted.add(result);
    try {
      return await result;
    } finally {
      this.#trusted.delete(result);
    }
  }

  /**
   * Delays a refusal as long as a hash takes, so that timing does not reveal a right code, and then until no trusted
   * person waits: strangers get only the time that the process has to spare.
   */
  async delayRefusal(): Promise<void> {
    await pause(this.#lastMs);
    const leave = await this.#refusals.enter();
    while (this.#trusted.size > 0) await Promise.allSettled(this.#trusted);
    await new Promise((resolve) => setImmediate(resolve));
    leave?.();
  }

  async #inTurn<Result>(trust: AttemptTrust, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.#gate.enter(trust);
    if (typeof leave !== 'function') throw new QueueFullError('Too many sign-ins are waiting.');
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
