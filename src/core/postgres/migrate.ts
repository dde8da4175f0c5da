import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { allowTime, type Pool } from './db.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
// Any constant will do; every node must take the same one.
const MIGRATION_LOCK = 7_294_001;

/** The program and the database do not fit together; the message says what to do. */
export class MigrationError extends Error {}

/** Applies what is missing, in order, in one transaction; a second node waits for the first and finds nothing to do. */
export async function migrate(pool: Pool): Promise<string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  return pool.begin(async (sql) => {
    await allowTime(sql, 0);
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await sql`create table if not exists migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
    const rows = await sql<{ name: string; checksum: string }[]>`select name, checksum from migration`;
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    refuseUnknown(applied, files);
    const added: string[] = [];
    for (const name of files) {
      const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const known = applied.get(name);
      if (known === checksum) continue;
      if (known !== undefined) {
        throw new MigrationError(
          `Migration ${name} was changed after it had been applied. Add a new migration instead.`,
        );
      }
      await sql.unsafe(text);
      await sql`insert into migration (name, checksum) values (${name}, ${checksum})`;
      added.push(name);
    }
    return added;
  });
}

/** An older program must not write to a newer database whose rules it does not know. */
function refuseUnknown(applied: Map<string, string>, files: string[]): void {
  const unknown = [...applied.keys()].filter((name) => !files.includes(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database is newer than this program: it holds ${unknown.join(', ')}. Upgrade the program.`,
    );
  }
}
