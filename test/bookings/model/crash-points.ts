import type { EgressPolicy } from '../../../src/core/egress/egress-target.ts';
import type { Db, Pool } from '../../../src/core/postgres/db.ts';

/** The death of a node: nothing catches it, so that nothing after it runs. */
export class Crash extends Error {}

/** The moments at which a node may die: before and after each commit, and before each call to the world outside. */
export class CrashPoints {
  #left: number | undefined;
  /** How often it has died. */
  crashes = 0;

  /** The node dies at its nth moment from now. */
  arm(nth: number): void {
    this.#left = nth;
  }

  disarm(): void {
    this.#left = undefined;
  }

  pass(): void {
    if (this.#left === undefined || --this.#left > 0) return;
    this.#left = undefined;
    this.crashes++;
    throw new Crash('The node died.');
  }
}

/** The pool of a node: a transaction of it can be lost before its commit, or its end go unheard after it. */
export function crashingPool(pool: Pool, points: CrashPoints): Pool {
  const begin = async (...given: [string, Work] | [Work]): Promise<unknown> => {
    const [mode, work] = given.length === 1 ? ['', given[0]] : given;
    const result = await pool.begin(mode, async (tx) => {
      const done = await work(tx);
      points.pass();
      return done;
    });
    points.pass();
    return result;
  };
  return new Proxy(pool, {
    get: (target, name) => (name === 'begin' ? begin : (Reflect.get(target, name) as unknown)),
  });
}

type Work = (tx: Db) => unknown;

/** The way out of a node. While the other side is slow, nobody waits for as long as people would. */
export function crashingEgress(
  allow: readonly string[],
  points: CrashPoints,
  isSlow: () => boolean,
): EgressPolicy {
  return {
    get allow() {
      points.pass();
      return allow;
    },
    get timeoutMsMax() {
      return isSlow() ? SLOW_MS : Infinity;
    },
  };
}

const SLOW_MS = 40;
