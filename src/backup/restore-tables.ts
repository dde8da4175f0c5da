import { createHash } from 'node:crypto';
import { pipeline, Transform } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { copyBytes } from '../core/postgres/copy-bytes.ts';
import { copyInto } from '../core/postgres/copy-into.ts';
import type { Db } from '../core/postgres/db.ts';
import { applyMigrations, lockMigrations, RESTORE_MARK } from '../core/postgres/migrate.ts';
import type { Progress } from '../core/progress.ts';
import { BackupError } from './backup-error.ts';
import { JOBS_MEMBER, tableMember, type Manifest, type TableRecord } from './manifest.ts';
import type { Archive } from './read-archive.ts';
import { JOBS, listBackupTables, quoted, rowsOf, targetOf, fixOutputFormat } from './tables.ts';

export interface TableComparison {
  name: string;
  rows: number;
  isEqual: boolean;
}

/** Creates, fills and migrates the tables in the caller's transaction, with the rights of the database's owner. */
export async function restoreTables(
  sql: Db,
  archive: Archive,
  manifest: Manifest,
  { progress, compared }: { progress: Progress; compared?: (table: TableComparison) => void },
): Promise<void> {
  await lockMigrations(sql);
  await refuseNonEmpty(sql);
  await fixOutputFormat(sql);
  await applyMigrations(sql, new Set(manifest.migrations.map(({ name }) => name)));
  const backupTables = await listBackupTables(sql);
  refuseOthers(
    backupTables.map(({ name }) => name),
    manifest,
  );
  await withoutRules(
    sql,
    backupTables.map(({ name }) => name),
    async () => {
      await load(sql, archive, manifest, progress);
    },
  );
  if (compared !== undefined) for (const record of manifest.tables) compared(await compareTable(sql, record));
  for (const { name, last, called } of manifest.sequences)
    await sql`select setval(${quoted(name)}::regclass, ${last}::bigint, ${called})`;
  await loadJobs(sql, archive, manifest);
  await applyMigrations(sql);
  await sql.unsafe(`drop table if exists ${RESTORE_MARK}`);
}

/** Refuses a database that contains data: a restore never mixes with existing rows. */
export async function refuseNonEmpty(sql: Db): Promise<void> {
  const [existing] = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      and n.nspname <> 'graphile_worker' and c.relname <> ${RESTORE_MARK}
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 1`;
  if (existing !== undefined)
    throw new BackupError(
      `The database already contains data (${existing.name}), and a restore overwrites nothing. Set DATA_DIR to a new ` +
        'folder, or DATABASE_URL to an empty database; keep the old one until the restored one runs.',
    );
}

function refuseOthers(schemaTables: readonly string[], { tables }: Manifest): void {
  const stored = tables.map(({ name }) => name);
  const unknown = stored.filter((name) => !schemaTables.includes(name));
  if (unknown.length > 0)
    throw new BackupError(
      `The backup contains tables that do not belong to Waypost: ${unknown.join(', ')}. Give Waypost a database of its own.`,
    );
}

/** Runs the work without triggers and foreign keys. Adding the keys again checks them all at once. */
async function withoutRules(sql: Db, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const references = await sql<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace order by 1, 2`;
  for (const { table, name } of references)
    await sql.unsafe(`alter table ${table} drop constraint ${quoted(name)}`);
  for (const table of tables) await sql.unsafe(`alter table ${quoted(table)} disable trigger user`);
  await work();
  for (const table of tables) await sql.unsafe(`alter table ${quoted(table)} enable trigger user`);
  for (const { table, name, definition } of references)
    await sql.unsafe(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
}

async function load(sql: Db, archive: Archive, { tables }: Manifest, progress: Progress): Promise<void> {
  // Some migrations insert rows, which the backup contains as they were.
  await sql.unsafe(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const record of tables) {
    await loadRows(sql, archive, { ...record, member: tableMember(record.name), target: targetOf(record) });
    done += record.bytes;
    progress(done, total);
  }
}

async function loadJobs(sql: Db, archive: Archive, { jobs }: Manifest): Promise<void> {
  await sql.unsafe(JOBS.stage);
  await loadRows(sql, archive, { ...jobs, member: JOBS_MEMBER, target: JOBS.target });
  await sql.unsafe(JOBS.load);
}

async function loadRows(
  sql: Db,
  archive: Archive,
  {
    name,
    rows,
    bytes,
    member,
    target,
  }: Pick<TableRecord, 'name' | 'rows' | 'bytes'> & { member: string; target: string },
): Promise<void> {
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left >= 0) done(null, chunk);
      else done(new BackupError(`${archive.path} is damaged: ${name} unpacks to more than ${bytes} bytes.`));
    },
  });
  let left = bytes;
  const unpacked = pipeline(archive.stream(member), createZstdDecompress(), limit, () => undefined);
  const loaded = await copyInto(sql, target, unpacked);
  if (loaded !== rows)
    throw new BackupError(`${archive.path} is damaged: ${name} has ${loaded} rows instead of ${rows}.`);
}

/** Compares hashes: rows that were just loaded are returned in the order of their lines. */
async function compareTable(sql: Db, record: TableRecord): Promise<TableComparison> {
  const hash = createHash('sha256');
  const rows = await copyBytes(sql, rowsOf(record), (block) => {
    hash.update(block);
    return Promise.resolve();
  });
  return { name: record.name, rows, isEqual: rows === record.rows && hash.digest('hex') === record.sha256 };
}
