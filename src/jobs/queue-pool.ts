import pg from 'pg';
import type { Log } from '../core/log.ts';
import { clientOptions, sessionSettings } from '../core/postgres/client-options.ts';
import { STATEMENT_TIMEOUT_MS } from '../core/postgres/db.ts';

/** Taking a job and noting its end are short, so the kinds share few connections. */
const CONNECTIONS = 4;
/** The client gives up after PostgreSQL should have. */
const ANSWER_MS = STATEMENT_TIMEOUT_MS + 1_000;

/** The connections on which the pools of all kinds take jobs and note their ends. */
export function openQueuePool(databaseUrl: string, log: Log): pg.Pool {
  const pool = new pg.Pool({
    ...clientOptions(databaseUrl, { name: 'waypost jobs' }),
    max: CONNECTIONS,
    query_timeout: ANSWER_MS,
    // A connection on which an answer is late is closed then, and not lent again.
    pipeline: true,
  });
  const lost = (error: Error) => {
    log.debug({ err: error }, 'a connection of the job queue was lost');
  };
  pool.on('error', lost);
  pool.on('connect', (client) => {
    client.on('error', lost);
    client.query(sessionSettings(STATEMENT_TIMEOUT_MS, false)).catch(lost);
  });
  return pool;
}

/**
 * The same connections as graphile-worker needs them.
 *
 * Each of its worker pools would keep a connection to listen on. It asks for that one, and only for that one, with a
 * callback: nobody calls back, and the listener of the node hears for all kinds.
 *
 * It also sleeps for up to two minutes after errors with certain codes, such as 57P03 while a database recovers. Without
 * the code it tries again after its poll interval of two seconds.
 */
export function poolForWorkers(pool: pg.Pool): pg.Pool {
  const connect = (whenListening?: unknown) =>
    whenListening === undefined ? pool.connect().catch(withoutCode) : undefined;
  return Object.create(pool, { connect: { value: connect } }) as pg.Pool;
}

function withoutCode(thrown: unknown): never {
  throw new Error('The job queue cannot reach the database.', { cause: thrown });
}
