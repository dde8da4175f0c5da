import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ConnectionError } from '../core/postgres/connection-error.ts';
import { serverDiskWasFull } from '../core/embedded/server-disk.ts';
import type { Pool } from '../core/postgres/db.ts';
import { MigrationError, refuseNewer, RESTORE_MARK } from '../core/postgres/migrate.ts';
import type { Progress } from '../core/progress.ts';
import { migrateJobs } from '../jobs/migrate-jobs.ts';
import { openPhotoStorage, type StorageSettings } from '../photos/storage/open-storage.ts';
import { type PhotoStorage } from '../photos/photo-storage.ts';
import { BackupError, isDiskFull } from './backup-error.ts';
import { fileKey, PHOTO_FOLDER, readManifest, type Manifest } from './manifest.ts';
import { openArchive, type Archive } from './read-archive.ts';
import { refuseNonEmpty, restoreTables, type TableComparison } from './restore-tables.ts';

/** A backup whose hashes are correct and whose version this program supports. */
export interface CheckedBackup {
  archive: Archive;
  manifest: Manifest;
}

interface RestoreTarget {
  settings: StorageSettings & { dataDir: string; databaseUrl: string | undefined };
  /** Opens the configured database without changing it. */
  open: () => Promise<{ pool: Pool; url: string; close(): Promise<void> }>;
  progress: { tables: Progress; photos: Progress };
  compared?: (table: TableComparison) => void;
}

/** Uploads have some tens of megabytes at most. */
const PHOTO_BYTES_MAX = 256 * 2 ** 20;

/** Arbitrary constant, the same for every restore. */
const RESTORE_LOCK = 7_294_047;
/** Maximum size of the server's write-ahead log, which needs room beside the tables. */
const SERVER_LOG_MAX = 4 * 2 ** 30;

/** Reads the whole file before anything is written, and refuses a damaged one or one newer than this program. */
export async function checkBackup(path: string, progress: Progress): Promise<CheckedBackup> {
  const archive = await openArchive(path, progress);
  const manifest = await readManifest(archive);
  try {
    await refuseNewer(manifest.migrations);
  } catch (thrown) {
    if (!(thrown instanceof MigrationError)) throw thrown;
    throw new BackupError(
      `${path} was made by a version of Waypost that this one cannot restore. Upgrade the program. (${thrown.message})`,
      { cause: thrown },
    );
  }
  return { archive, manifest };
}

/** Fills an empty database and the photo store. Afterwards the database is complete or empty, whatever happens. */
export async function restoreBackup(backup: CheckedBackup, target: RestoreTarget): Promise<void> {
  const { settings } = target;
  await refuseWithoutRoom(backup.manifest, settings);
  const cluster = join(settings.dataDir, 'postgres');
  const isNewCluster =
    settings.databaseUrl === undefined && (await stat(cluster).catch(() => undefined)) === undefined;
  const database = await target.open();
  let outcome: 'undone' | 'unknown' | 'done' = 'undone';
  try {
    await fill(backup, target, database, isNewCluster);
    outcome = 'done';
  } catch (thrown) {
    if (isUnknownCommit(thrown) && !isNewCluster) {
      outcome = 'unknown';
      throw new BackupError(
        'The connection was lost during the commit: either everything was restored, or nothing. Start Waypost: it ' +
          'starts only if everything was restored. If it refuses to start, run the restore again.',
        { cause: thrown },
      );
    }
    const isFull =
      isDiskFull(thrown) || (settings.databaseUrl === undefined && serverDiskWasFull(settings.dataDir));
    if (!isFull && isRefusedContent(thrown))
      throw new BackupError(
        `${backup.archive.path} cannot be restored: ${firstLine(thrown)}. Nothing was restored.`,
        { cause: thrown },
      );
    if (!isFull) throw thrown;
    throw new BackupError('The disk is full. Nothing was restored.', { cause: thrown });
  } finally {
    await database.close().catch((thrown: unknown) => {
      if (outcome === 'done') throw thrown;
    });
    if (outcome === 'undone' && isNewCluster)
      await rm(cluster, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** True for errors about invalid values, constraints or names, or bytes that cannot be decompressed. */
function isRefusedContent(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(?:22|23|42|54|P0|ZSTD_|Z_)/.test(code);
}

function firstLine(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return (message.split('\n')[0] ?? '').replace(/[.\p{Cc}]+$/u, '').slice(0, 300);
}

function isUnknownCommit(thrown: unknown): boolean {
  return thrown instanceof ConnectionError && thrown.code === 'COMMIT_UNKNOWN';
}

async function fill(
  { archive, manifest }: CheckedBackup,
  { settings, progress, compared }: RestoreTarget,
  { pool, url }: { pool: Pool; url: string },
  isNewCluster: boolean,
): Promise<void> {
  const lock = await pool.reserve();
  try {
    const [lockResult] = await lock<
      { alone: boolean }[]
    >`select pg_try_advisory_lock(${RESTORE_LOCK}) as alone`;
    if (lockResult?.alone !== true) throw new BackupError('Another restore into this database is running.');
    await refuseNonEmpty(pool);
    // From here until the restore ends, no node starts on this database.
    await pool.unsafe(`create table if not exists ${RESTORE_MARK} (begun_at timestamptz default now())`);
    const storage = openPhotoStorage(settings);
    const added: string[] = [];
    try {
      await migrateJobs(url);
      await restorePhotos(archive, manifest, { storage, added, progress: progress.photos });
      await pool.begin((sql) =>
        restoreTables(sql, archive, manifest, { progress: progress.tables, ...(compared && { compared }) }),
      );
    } catch (thrown) {
      // After an unknown commit the database may reference every file. A new cluster is deleted as a whole in any case.
      if (isUnknownCommit(thrown) && !isNewCluster) throw thrown;
      for (const key of added) await storage.delete(key).catch(() => undefined);
      await pool.unsafe(`drop table if exists ${RESTORE_MARK}`).catch(() => undefined);
      throw thrown;
    }
    // Everything is restored by now; if these fail, the server releases the lock and collects statistics by itself.
    await lock`select pg_advisory_unlock(${RESTORE_LOCK})`.catch(() => undefined);
    await pool`analyze`.catch(() => undefined);
  } finally {
    lock.release();
  }
}

/** Writes the photo files. A file that the store already has is overwritten by the backup's. */
async function restorePhotos(
  archive: Archive,
  { photos }: Manifest,
  { storage, added, progress }: { storage: PhotoStorage; added: string[]; progress: Progress },
): Promise<void> {
  const uploads = new Set(photos.uploads);
  const keys = [...archive.members.keys()]
    .filter((name) => name.startsWith(PHOTO_FOLDER))
    .map((name) => name.slice(PHOTO_FOLDER.length))
    .filter((key) => !key.startsWith('upload/') || uploads.has(key));
  for (const [at, key] of keys.entries()) {
    progress(at, keys.length);
    checkPhoto(archive, key);
    const existing = await storage.get(key);
    existing?.body.destroy();
    if (existing === undefined) added.push(key);
    const chunks: Buffer[] = [];
    for await (const chunk of archive.stream(PHOTO_FOLDER + key)) chunks.push(chunk as Buffer);
    await storage.put(
      key,
      Buffer.concat(chunks),
      key.startsWith('upload/') ? 'application/octet-stream' : 'image/jpeg',
    );
  }
  progress(keys.length, keys.length);
}

function checkPhoto(archive: Archive, key: string): void {
  const size = archive.members.get(PHOTO_FOLDER + key)?.size ?? 0;
  if (fileKey.safeParse(key).success && size <= PHOTO_BYTES_MAX) return;
  throw new BackupError(`${archive.path} is damaged: ${PHOTO_FOLDER}${key} is not a photo file.`);
}

/** Checks free space where it can be known: the server of a DATABASE_URL and a bucket have disks of their own. */
async function refuseWithoutRoom(manifest: Manifest, settings: RestoreTarget['settings']): Promise<void> {
  const { photos, tables } = manifest;
  // database_bytes was measured by the writer of the backup; the unpacked size of the tables is enforced while loading.
  const unpacked = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const database_bytes = Math.max(manifest.database_bytes, unpacked);
  const { dataDir, photoDir, photoS3, databaseUrl } = settings;
  const needs = new Map<number, { folder: string; bytes: number }>();
  const need = async (folder: string, bytes: number) => {
    await mkdir(folder, { recursive: true });
    const { dev } = await stat(folder);
    needs.set(dev, { folder, bytes: bytes + (needs.get(dev)?.bytes ?? 0) });
  };
  if (databaseUrl === undefined)
    await need(dataDir, database_bytes + Math.min(database_bytes, SERVER_LOG_MAX));
  if (photoS3 === undefined) await need(photoDir, photos.bytes);
  for (const { folder, bytes } of needs.values()) {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < bytes)
      throw new BackupError(
        `The disk of ${folder} has ${sizeOf(bavail * bsize)} free, and the restore needs about ` +
          `${sizeOf(bytes)}. Nothing was restored.`,
      );
  }
}

function sizeOf(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
