import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { connectionError, isLocked, isUnavailable, LockedError } from './connection-error.ts';
import { type Db, openPool, type Pool } from './pool.ts';
import type { SentQuery } from './statement.ts';

export type { Db, Pool };
export { isLocked, isUnavailable, LockedError };

/** Does something in a transaction of its own. Only runners have this to give; a test lists them. */
export type InTransaction = <Result>(work: (tx: Db) => Promise<Result>) => Promise<Result>;

export function transactionsOf(pool: Pool): InTransaction {
  return <Result>(work: (tx: Db) => Promise<Result>) => pool.begin(work);
}

/** How long a statement of a request may run before PostgreSQL ends it. */
export const STATEMENT_TIMEOUT_MS = 15_000;
/** How long a node that stops waits for its statements. */
export const POOL_END_SECONDS = 5;

export { openPool as connect };

/** The name of the constraint that a statement violated, or undefined when it failed for another reason. */
export function violatedConstraint(thrown: unknown): string | undefined {
  if (thrown instanceof pg.DatabaseError && thrown.code?.startsWith('23') === true) return thrown.constraint;
  return undefined;
}

/** Lets the statements of a transaction run for longer than others may, for the server and for us; 0: for ever. */
export async function allowTime(tx: Db, limitMs: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const query = new pg.Query(`set local statement_timeout = ${limitMs}`) as SentQuery;
    query.limitMs = limitMs;
    query.callback = (error) => {
      if (error) reject(connectionError(error));
      else resolve();
    };
    tx.send(query);
  });
}

/**
 * Has the rest of a transaction wait for locks as long as a statement may run: it notes what has happened outside already,
 * and would otherwise be lost.
 */
export async function waitForLocks(tx: Db): Promise<void> {
  await tx`set local lock_timeout = 0`;
}

/** Until what was asked for is on its way: all of one turn of the event loop is sent at its end. */
export async function queriesSent(): Promise<void> {
  await setImmediate();
}
