import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { connectionError, isLocked, isUnavailable, LockedError } from './connection-error.ts';
import { type Db, openPool, type Pool } from './pool.ts';
import type { SentQuery } from './statement.ts';

export type { Db, Pool };
export { isLocked, isUnavailable, LockedError };

export type InTransaction = <Result>(work: (tx: Db) => Promise<Result>) => Promise<Result>;

export function transactionsOf(pool: Pool): InTransaction {
  return <Result>(work: (tx: Db) => Promise<Result>) => pool.begin(work);
}

/** Time after which PostgreSQL cancels a statement of a request. */
export const STATEMENT_TIMEOUT_MS = 15_000;
export const POOL_END_SECONDS = 5;

export { openPool as connect };

/** Returns the name of the violated constraint, or undefined when the statement failed for another reason. */
export function violatedConstraint(thrown: unknown): string | undefined {
  if (thrown instanceof pg.DatabaseError && thrown.code?.startsWith('23') === true) return thrown.constraint;
  return undefined;
}

/** Changes the statement time limit of a transaction, on the server and in the client; 0 means none. */
export async function setStatementTimeout(tx: Db, limitMs: number): Promise<void> {
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

/** Makes the rest of a transaction wait longer for locks, because it records what already happened outside. */
export async function waitForLocks(tx: Db): Promise<void> {
  await tx`set local lock_timeout = 0`;
}

/** Resolves when the queries of this turn are sent: all queries of one event loop turn are written at its end. */
export async function queriesSent(): Promise<void> {
  await setImmediate();
}
