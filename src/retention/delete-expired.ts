import type { Db, Pool } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';
import type { Expiry } from './table-retention.ts';
import { TABLES } from './tables.ts';

/** Rows of one statement, so that no lock lasts long. */
const BATCH = 1_000;
/** Rows of one table in an hour; more than these wait for the next. */
const AN_HOUR = 50_000;

/**
 * Deletes the rows whose time has passed, the oldest first. Every batch is committed by itself, so that the next run
 * goes on where one was interrupted. A table that fails does not keep the others from being deleted.
 */
export async function deleteExpired(
  pool: Pool,
  now: Date,
  {
    signal,
    atOnce = BATCH,
    atMost = AN_HOUR,
  }: { signal?: AbortSignal; atOnce?: number; atMost?: number } = {},
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [table, { ends }] of Object.entries(TABLES)) {
    for (const expiry of Array.isArray(ends) ? ends : []) {
      try {
        for (let count = atOnce, total = 0; count === atOnce && total < atMost; total += count) {
          signal?.throwIfAborted();
          count = await deleteBatch(pool, table, expiry, now, atOnce);
          if (count > 0) deleted[table] = (deleted[table] ?? 0) + count;
        }
      } catch (thrown) {
        if (signal?.aborted === true) throw thrown;
        failures.push(new Error(`Expired rows of ${table} could not be deleted.`, { cause: thrown }));
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Expired rows could not be deleted.');
  return deleted;
}

async function deleteBatch(
  db: Db,
  table: string,
  { from, days, where, door }: Expiry,
  now: Date,
  atOnce: number,
): Promise<number> {
  const before = new Date(now.getTime() - days * DAY_MS);
  if (door !== undefined) {
    const [row] = await db.unsafe<{ count: number }[]>(`select ${door}($1, $2) as count`, [before, atOnce]);
    return row?.count ?? 0;
  }
  const { count } = await db.unsafe(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${from} <= $1::timestamptz ${where === undefined ? '' : `and ${where}`}
       order by ${from} limit $2 for update skip locked))`,
    [before, atOnce],
  );
  return count;
}
