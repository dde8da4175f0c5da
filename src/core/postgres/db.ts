import { setImmediate } from 'node:timers/promises';
import type { ISql, Sql } from 'postgres';
import { postgres } from './postgres-client.ts';

/** A handle for statements: the pool outside a transaction, the transaction inside one. */
export type Db = ISql;
export type Pool = Sql;

/** Does something in a transaction of its own. Only runners have this to give; a test lists them. */
export type InTransaction = <Result>(work: (tx: Db) => Promise<Result>) => Promise<Result>;

export function transactionsOf(pool: Pool): InTransaction {
  return <Result>(work: (tx: Db) => Promise<Result>) => pool.begin(work) as Promise<Result>;
}

/** How long a statement of a request may run before PostgreSQL ends it. */
export const STATEMENT_TIMEOUT_MS = 15_000;

interface PoolOptions {
  max: number;
  statementTimeoutMs: number;
  /** PostgreSQL itself then refuses whatever would write. */
  readOnly?: boolean;
}

export function connect(url: string, options: PoolOptions): Pool {
  return postgres(url, {
    max: options.max,
    connect_timeout: 10,
    // The client's own waits grow to 20 s, which a restarted server would be down for in the eyes of callers.
    backoff: (retries) => Math.min(0.05 * 2 ** retries, 0.5),
    // Notices are for people at a terminal; a server has no use for them.
    onnotice: () => undefined,
    connection: {
      application_name: 'waypost',
      statement_timeout: options.statementTimeoutMs,
      ...(options.readOnly === true && { default_transaction_read_only: true }),
    },
  });
}

/** The name of the constraint that a statement violated, or undefined when it failed for another reason. */
export function violatedConstraint(thrown: unknown): string | undefined {
  if (thrown instanceof postgres.PostgresError && thrown.code.startsWith('23')) return thrown.constraint_name;
  return undefined;
}

// What the client and PostgreSQL say when there is no connection to be had: refused, ended, shutting down, full.
const UNAVAILABLE = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
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

/** Until what was asked for is on its way: the client notes it in one turn of the event loop and sends it in the next. */
export async function queriesSent(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
