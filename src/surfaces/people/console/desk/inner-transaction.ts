import type { Deps } from '../../../../core/context.ts';
import type { Db, Pool } from '../../../../core/postgres/db.ts';
import type { ActionContext } from '../../person/action.ts';

/** For a function that still begins a transaction itself: it gets the action's. This file goes with the last of them. */
export function depsInside({ deps, db }: Pick<ActionContext<unknown>, 'deps' | 'db'>): Deps {
  const pool = { begin: (work: (tx: Db) => unknown) => work(db) } as unknown as Pool;
  return { ...(deps as Deps), pool };
}
