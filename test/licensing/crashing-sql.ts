import type { Db, Pool } from '../../src/core/postgres/db.ts';

/** A point at which a transaction is ended. */
export type Crash = { at: number; how: 'abort' | 'kill' } | undefined;

export class Crashed extends Error {}

/**
 * Runs work in a transaction that may die at one of its statements: by an error of ours, or because the server ends the
 * connection, as when a machine goes down. In the second case nobody knows whether it was committed, as in life.
 */
export async function inCrashingTransaction<T>(
  pool: Pool,
  killer: Pool,
  crash: Crash,
  work: (sql: Db) => Promise<T>,
): Promise<T> {
  return pool.begin<T>(async (sql) => {
    if (crash === undefined) return work(sql);
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    let statements = 0;
    const crashing = new Proxy(sql, {
      apply(target, self, given: unknown[]) {
        const isStatement = Array.isArray(given[0]) && 'raw' in given[0];
        if (isStatement && statements++ === crash.at) {
          if (crash.how === 'abort') throw new Crashed('a crash between two statements');
          void killer`select pg_terminate_backend(${backend?.pid ?? 0})`.execute();
        }
        return Reflect.apply(target as unknown as (...all: unknown[]) => unknown, self, given);
      },
    });
    return work(crashing);
  });
}
