import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { allowTime, type Db, type Pool } from './db.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
// Any constant will do; every node must take the same one.
const MIGRATION_LOCK = 7_294_001;

/** The program and the database do not fit together; the message says what to do. */
export class MigrationError extends Error {}

export interface Migration {
  name: string;
  checksum: string;
}

/** Applies what is missing, in order, in one transaction; a second node waits for the first and finds nothing to do. */
export async function migrate(pool: Pool): Promise<string[]> {
  return inTurn(pool, async (sql) => {
    const [restoring] = await sql`select 1 where to_regclass(${RESTORE_MARK}) is not null`;
    if (restoring !== undefined) {
      throw new MigrationError(
        'A restore into this database has not finished. Wait for it, or run it again if it was interrupted.',
      );
    }
    return applyMigrations(sql);
  });
}

/** Does something while no other node changes the tables. */
export function inTurn<Result>(pool: Pool, work: (sql: Db) => Promise<Result>): Promise<Result> {
  return pool.begin(async (sql) => {
    await lockMigrations(sql);
    return work(sql);
  });
}

/** A table that stands in a database from the beginning of a restore to its end. */
export const RESTORE_MARK = 'unfinished_restore';

/** Waits until nobody else changes the tables; held until the transaction ends. */
export async function lockMigrations(sql: Db): Promise<void> {
  await allowTime(sql, 0);
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
}

/** Applies what is missing, or of that only what is named. The caller holds the lock. */
export async function applyMigrations(sql: Db, only?: ReadonlySet<string>): Promise<string[]> {
  await sql`create table if not exists migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
  const applied = await sql<Migration[]>`select name, checksum from migration`;
  const missing = await missingMigrations(applied);
  const added = missing.filter(({ name }) => only?.has(name) ?? true);
  for (const { name, checksum, text } of added) {
    await sql.unsafe(text);
    await sql`insert into migration (name, checksum) values (${name}, ${checksum})`;
  }
  return added.map(({ name }) => name);
}

/** What is still to be applied, in order. An older program must not write to a newer database whose rules it does not know. */
export async function missingMigrations(
  applied: readonly Migration[],
): Promise<(Migration & { text: string })[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const unknown = applied.map(({ name }) => name).filter((name) => !files.includes(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database is newer than this program: it holds ${unknown.join(', ')}. Upgrade the program.`,
    );
  }
  const known = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const missing: (Migration & { text: string })[] = [];
  for (const name of files) {
    const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
    const checksum = createHash('sha256').update(text).digest('hex');
    if (!known.has(name)) missing.push({ name, checksum, text });
    else if (known.get(name) !== checksum) {
      throw new MigrationError(
        `Migration ${name} was changed after it had been applied. Add a new migration instead.`,
      );
    }
  }
  return missing;
}
