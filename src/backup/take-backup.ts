import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createZstdCompress } from 'node:zlib';
import { copyBytes } from '../core/postgres/copy-bytes.ts';
import type { Db, Pool } from '../core/postgres/db.ts';
import type { Migration } from '../core/postgres/migrate.ts';
import type { Progress } from '../core/progress.ts';
import { ledgerTotals } from '../ledger/verify-ledger.ts';
import type { PhotoStorage } from '../photos/photo-storage.ts';
import { BackupError, isDiskFull } from './backup-error.ts';
import { FORMAT, JOBS_MEMBER, MANIFEST, PHOTO_FOLDER, tableMember } from './manifest.ts';
import type { Manifest, TableRecord } from './manifest.ts';
import { namedFiles, namedUploads } from './named-files.ts';
import { JOBS, listBackupTables, rowsOf, fixOutputFormat, type BackupTable } from './tables.ts';
import { ArchiveWriter } from './write-archive.ts';

interface BackupSource {
  pool: Pool;
  storage: PhotoStorage;
  servicePrefix: string;
  now: Date;
  progress: { tables: Progress; photos: Progress };
}

/** Maximum number of snapshots, each retaken because an upload was processed or arrived at that moment. */
const STATES_MAX = 10;
const NEXT_STATE_MS = 500;

/** Writes a consistent snapshot of database and files into one file, while the service may run. */
export async function takeBackup(
  path: string,
  source: BackupSource,
): Promise<{ manifest: Manifest; bytes: number }> {
  const archive = await ArchiveWriter.create(path, source.now);
  try {
    const uploads = new Map<string, number>();
    for (let states = 1; ; states++) {
      const manifest = await takeState({ archive, uploads, isLast: states === STATES_MAX }, source);
      if (manifest !== undefined) return { manifest, bytes: await archive.finish() };
      await delay(NEXT_STATE_MS);
    }
  } catch (thrown) {
    await archive.abandon();
    if (!isDiskFull(thrown)) throw thrown;
    throw new BackupError(`The disk of ${path} is full. The incomplete backup was deleted.`, {
      cause: thrown,
    });
  }
}

interface Taking {
  archive: ArchiveWriter;
  /** Sizes of uploads already added, for this snapshot or an abandoned one. */
  uploads: Map<string, number>;
  isLast: boolean;
}

/** Returns undefined when an upload of the snapshot is gone or has not arrived, unless this is the last try. */
async function takeState(
  { archive, uploads, isLast }: Taking,
  { pool, storage, servicePrefix, now, progress }: BackupSource,
): Promise<Manifest | undefined> {
  return pool.begin('isolation level repeatable read read only', async (sql) => {
    await fixOutputFormat(sql);
    const [base] = await sql<{ postgres: string; bytes: string; ours: boolean }[]>`
      select current_setting('server_version') as postgres, pg_database_size(current_database()) as bytes,
        to_regclass('migration') is not null as ours`;
    if (base?.ours !== true) throw new BackupError("The database does not contain Waypost's tables yet.");
    const waiting = await namedUploads(sql);
    for (const key of waiting) {
      const size = uploads.has(key) ? undefined : await addFile(archive, storage, key);
      if (size !== undefined) uploads.set(key, size);
    }
    const missing = waiting.filter((key) => !uploads.has(key));
    if (missing.length > 0 && !isLast) return undefined;

    const tables = await addTables(archive, sql, progress.tables);
    const jobs = await addTable(archive, sql, { ...JOBS, member: JOBS_MEMBER });
    const photos: Manifest['photos'] = { files: 0, bytes: 0, uploads: [], missing };
    for (const key of waiting.filter((upload) => uploads.has(upload))) {
      photos.uploads.push(key);
      photos.files++;
      photos.bytes += uploads.get(key) ?? 0;
    }
    await addPhotos(archive, storage, await namedFiles(sql), { photos, progress: progress.photos });
    const manifest: Manifest = {
      format: FORMAT,
      made_at: now.toISOString(),
      postgres: base.postgres,
      service_prefix: servicePrefix,
      database_bytes: Number(base.bytes),
      migrations: [...(await sql<Migration[]>`select name, checksum from migration order by name`)],
      tables,
      jobs,
      sequences: await listSequences(sql),
      ledger: await ledgerTotals(sql),
      photos,
    };
    await archive.add(MANIFEST, [Buffer.from(JSON.stringify(manifest, null, 2))]);
    return manifest;
  });
}

/** Adds a file and returns its size; undefined when the store does not have it. */
async function addFile(
  archive: ArchiveWriter,
  storage: PhotoStorage,
  key: string,
): Promise<number | undefined> {
  const file = await storage.get(key);
  return file && (await archive.add(PHOTO_FOLDER + key, file.body)).size;
}

async function addTables(archive: ArchiveWriter, sql: Db, progress: Progress): Promise<TableRecord[]> {
  const tables = await listBackupTables(sql);
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const records: TableRecord[] = [];
  let done = 0;
  for (const table of tables) {
    const source = { ...table, query: rowsOf(table), member: tableMember(table.name) };
    records.push(
      await addTable(archive, sql, source, (written) => {
        progress(done + Math.min(written, table.bytes), total);
      }),
    );
    done += table.bytes;
  }
  progress(total, total);
  return records;
}

/** Compresses the rows of a query while the database sends them. */
async function addTable(
  archive: ArchiveWriter,
  sql: Db,
  { name, columns, query, member }: Pick<BackupTable, 'name' | 'columns'> & { query: string; member: string },
  progress: (written: number) => void = () => undefined,
): Promise<TableRecord> {
  const packer = createZstdCompress();
  const hash = createHash('sha256');
  const packed = archive.add(member, packer);
  // A failure is reported through the writes to the packer first.
  packed.catch(() => undefined);
  let bytes = 0;
  const rows = await copyBytes(sql, query, async (block) => {
    hash.update(block);
    bytes += block.length;
    progress(bytes);
    if (!packer.write(block)) await Promise.race([once(packer, 'drain'), packed]);
  });
  packer.end();
  await packed;
  return { name, columns: [...columns], rows, bytes, sha256: hash.digest('hex') };
}

async function addPhotos(
  archive: ArchiveWriter,
  storage: PhotoStorage,
  keys: readonly string[],
  { photos, progress }: { photos: Manifest['photos']; progress: Progress },
): Promise<void> {
  for (const [at, key] of keys.entries()) {
    progress(at, keys.length);
    const size = await addFile(archive, storage, key);
    if (size === undefined) photos.missing.push(key);
    else {
      photos.files++;
      photos.bytes += size;
    }
  }
  progress(keys.length, keys.length);
}

/** Lists the sequences. They are not transactional, so they may be ahead of the rows but never behind. */
async function listSequences(sql: Db): Promise<Manifest['sequences']> {
  const sequences = await sql<{ name: string; last: string; called: boolean }[]>`
    select sequencename as name, coalesce(last_value, start_value)::text as last, last_value is not null as called
    from pg_sequences where schemaname = current_schema() order by 1`;
  return [...sequences];
}
