import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { RELEASE } from '../release.ts';
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
  // Without the question, each start would wait for a backup that reads the table.
  await sql.unsafe(`do $$ begin
    if not exists (select from pg_attribute where attrelid = 'migration'::regclass and attname = 'ends_older') then
      alter table migration add column ends_older boolean not null default false;
    end if; end $$`);
  const applied = await sql<AppliedMigration[]>`select name, checksum, ends_older from migration`;
  refuseIfEnded(applied, await readMigrations());
  const missing = await missingMigrations(applied);
  const added = missing.filter(({ name }) => only?.has(name) ?? true);
  for (const { name, checksum, text } of added) {
    await sql.unsafe(text);
    await sql`insert into migration (name, checksum, ends_older) values (${name}, ${checksum}, ${endsOlder(text)})`;
  }
  return added.map(({ name }) => name);
}

interface AppliedMigration extends Migration {
  ends_older: boolean;
}

/**
 * A migration that an older program cannot work with, because it removes or renames what that uses, begins with this
 * line. Others only add, so that the previous release runs beside a newer one, and may start again.
 */
const ENDS_OLDER = '-- ends older programs\n';

function endsOlder(text: string): boolean {
  return text.startsWith(ENDS_OLDER);
}

/** Refuses a database that a newer program has changed in a way that this one does not know. */
function refuseIfEnded(applied: readonly AppliedMigration[], known: readonly KnownMigration[]): void {
  const names = new Set(known.map(({ name }) => name));
  const ended = applied.filter((one) => one.ends_older && !names.has(one.name)).map(({ name }) => name);
  if (ended.length > 0)
    throw new MigrationError(
      `This program (version ${RELEASE.version}) is too old for the database, which has been through ${ended.join(', ')}. Upgrade the program.`,
    );
}

interface KnownMigration extends Migration {
  text: string;
}

async function readMigrations(): Promise<KnownMigration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Lists missing migrations in order. */
async function missingMigrations(applied: readonly Migration[]): Promise<KnownMigration[]> {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const known = await readMigrations();
  for (const { name, checksum } of known)
    if (checksums.has(name) && checksums.get(name) !== checksum)
      throw new MigrationError(
        `Migration ${name} was changed after it had been applied. Add a new migration instead.`,
      );
  return known.filter(({ name }) => !checksums.has(name));
}

/** Compares a database with the program: migrations that it lacks, and those of a newer program. */
export async function compareMigrations(sql: Pool): Promise<{ missing: string[]; unknown: string[] }> {
  const [table] = await sql`select 1 where to_regclass('migration') is not null`;
  const applied = table === undefined ? [] : await sql<Migration[]>`select name, checksum from migration`;
  const missing = (await missingMigrations(applied)).map(({ name }) => name);
  const known = new Set((await readMigrations()).map(({ name }) => name));
  return { missing, unknown: applied.map(({ name }) => name).filter((name) => !known.has(name)) };
}

/** Refuses the state of a newer program, whose tables an older one does not know, and changed migrations. */
export async function refuseNewer(applied: readonly Migration[]): Promise<void> {
  await missingMigrations(applied);
  const names = new Set((await readMigrations()).map(({ name }) => name));
  const unknown = applied.map(({ name }) => name).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new MigrationError(`It contains ${unknown.join(', ')}.`);
}
