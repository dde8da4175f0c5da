import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setStatementTimeout, type Db, type Pool } from './db.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
// Arbitrary constant, the same on every node.
const MIGRATION_LOCK = 7_294_001;

/** Thrown when the program and the database are incompatible. The message states what to do. */
export class MigrationError extends Error {}

export interface Migration {
  name: string;
  checksum: string;
}

/** Applies missing migrations in order, in one transaction; a second node waits for the first and has nothing to do. */
export async function migrate(pool: Pool): Promise<string[]> {
  return withMigrationLock(pool, async (sql) => {
    const [restoring] = await sql`select 1 where to_regclass(${RESTORE_MARK}) is not null`;
    if (restoring !== undefined)
      throw new MigrationError(
        'A restore into this database has not finished. Wait for it, or run the restore again if it was interrupted.',
      );
    return applyMigrations(sql);
  });
}

export function withMigrationLock<Result>(pool: Pool, work: (sql: Db) => Promise<Result>): Promise<Result> {
  return pool.begin(async (sql) => {
    await lockMigrations(sql);
    return work(sql);
  });
}

/** A table that exists from the start of a restore to its end. */
export const RESTORE_MARK = 'unfinished_restore';

/** Waits until nobody else changes the schema; the lock is held until the transaction ends. */
export async function lockMigrations(sql: Db): Promise<void> {
  await setStatementTimeout(sql, 0);
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
}

/** Applies missing migrations, or only the named ones among them. The caller holds the lock. */
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

/** Lists missing migrations in order. Refuses a newer database, whose rules an older program does not know. */
export async function missingMigrations(
  applied: readonly Migration[],
): Promise<(Migration & { text: string })[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  const unknown = applied.map(({ name }) => name).filter((name) => !files.includes(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database is newer than this program: it contains ${unknown.join(', ')}. Upgrade the program.`,
    );
  }
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const missing: (Migration & { text: string })[] = [];
  for (const name of files) {
    const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
    const checksum = createHash('sha256').update(text).digest('hex');
    if (!checksums.has(name)) missing.push({ name, checksum, text });
    else if (checksums.get(name) !== checksum) {
      throw new MigrationError(
        `Migration ${name} was changed after it had been applied. Add a new migration instead.`,
      );
    }
  }
  return missing;
}
