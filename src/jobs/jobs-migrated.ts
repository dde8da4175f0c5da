import { readdir } from 'node:fs/promises';
import type { Db } from '../core/postgres/db.ts';

/**
 * True when the tables of the job queue match the library's version. Loading the library takes longer than many
 * commands, so it is only loaded when there is something to migrate.
 */
export async function jobsAreMigrated(db: Db): Promise<boolean> {
  const [queue] = await db<{ exists: boolean }[]>`
    select to_regclass('graphile_worker.migrations') is not null as exists`;
  if (queue?.exists !== true) return false;
  const [applied] = await db<{ last: number | null }[]>`
    select max(id)::int as last from graphile_worker.migrations`;
  return applied?.last === (await lastMigration());
}

/** The library ships its migrations as numbered files beside its code. */
async function lastMigration(): Promise<number> {
  const folder = new URL('../sql/', import.meta.resolve('graphile-worker'));
  const numbers = (await readdir(folder)).map((name) => Number(/^(\d+)\.sql$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}
