import { readdir } from 'node:fs/promises';
import type { Db } from '../core/postgres/db.ts';

/** True when the job tables are current. The library, slow to load, is loaded only when something is missing. */
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
