import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { type Db, openPool, type Pool } from './pool.ts';

export type { Db, Pool };

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

// What the client and PostgreSQL say when there is no connection to be had: refused, ended, shutting down, full.
const UNAVAILABLE = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);

/** Whether something failed because the database could not be reached, so that trying again later may help. */
export function isUnavailable(thrown: unknown): boolean {
  return UNAVAILABLE.has((thrown as { code?: string } | undefined)?.code ?? '');
}

/** Until what was asked for is on its way: all of one turn of the event loop is sent at its end. */
export async function queriesSent(): Promise<void> {
  await setImmediate();
}
