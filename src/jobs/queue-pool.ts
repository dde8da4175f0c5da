import pg from 'pg';
import type { Log } from '../core/log.ts';
import { clientOptions, sessionSettings } from '../core/postgres/client-options.ts';
import { QUEUE_CONNECTIONS } from '../core/postgres/connection-budget.ts';
import { STATEMENT_TIMEOUT_MS } from '../core/postgres/db.ts';

/** Client-side timeout, slightly longer than the server's. */
const ANSWER_MS = STATEMENT_TIMEOUT_MS + 1_000;

/** Opens the connections on which the worker pools of all kinds take jobs and record their ends. */
export function openQueuePool(databaseUrl: string, log: Log): pg.Pool {
  const pool = new pg.Pool({
    Client: clientOf(databaseUrl),
    max: QUEUE_CONNECTIONS,
    query_timeout: ANSWER_MS,
    // Closes a connection whose answer is late instead of reusing it.
    pipeline: true,
  });
  const lost = (error: Error) => log.debug({ err: error }, 'a connection of the job queue was lost');
  pool.on('error', lost);
  pool.on('connect', (client) => {
    client.on('error', lost);
    client.query(sessionSettings(databaseUrl, { statementTimeoutMs: STATEMENT_TIMEOUT_MS })).catch(lost);
  });
  return pool;
}

/** Returns a class whose instances connect to the server that accepts writes when they are made. */
function clientOf(databaseUrl: string): typeof pg.Client {
  return class extends pg.Client {
    constructor(options: pg.ClientConfig) {
      super({ ...options, ...clientOptions(databaseUrl, { name: 'waypost jobs' }) });
    }
  };
}

/**
 * Adapts the pool to graphile-worker, which requests a LISTEN connection with a callback that is never called here
 * (the node's listener serves all kinds), and sleeps for minutes after some error codes, which are removed.
 */
export function poolForWorkers(pool: pg.Pool): pg.Pool {
  const connect = (whenListening?: unknown) =>
    whenListening === undefined ? pool.connect().catch(withoutCode) : undefined;
  // The pool's own `query` requests its connection with a callback too.
  const query = pool.query.bind(pool);
  return Object.create(pool, { connect: { value: connect }, query: { value: query } }) as pg.Pool;
}

function withoutCode(thrown: unknown): never {
  throw new Error('The job queue cannot reach the database.', { cause: thrown });
}
