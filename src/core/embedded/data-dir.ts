import { randomUUID } from 'node:crypto';
import { access, chmod, constants, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onMissing } from './cluster.ts';
import { LockFile } from './folder-lock.ts';
import { DataDirInUseError, EmbeddedPostgresError } from './not-started.ts';

/** Makes the data directory where it is absent, and finds out by a file whether anything can be kept in it. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const permissions = constants.R_OK | constants.W_OK | constants.X_OK;
  try {
    const made = await mkdir(dataDir, { recursive: true });
    // As root, PostgreSQL runs as another user, who must be able to pass through to its own folder.
    if (made !== undefined && process.getuid?.() === 0) await chmod(dataDir, 0o711);
    const real = await realpath(dataDir);
    // Rights alone do not tell of a file system that is mounted for reading.
    const probe = path.join(real, `.probe-${randomUUID()}`);
    await writeFile(probe, '');
    await rm(probe);
    await access(path.join(real, 'postgres'), permissions).catch(onMissing(undefined));
    return real;
  } catch (cause) {
    const said = cause instanceof Error ? cause.message.replace(/, \w+ '.*'$/, '') : String(cause);
    throw new EmbeddedPostgresError(
      `The data directory ${path.resolve(dataDir)} cannot be used: ${said}. ` +
        'Start Waypost as the user it belongs to, or choose another DATA_DIR.',
      { cause },
    );
  }
}

/**
 * Keeps every other service off a data directory, wherever their databases are: the search index in it has one writer,
 * and to a second one it would be a file that something else changes.
 */
export async function holdDataDir(dataDir: string): Promise<LockFile> {
  const real = await prepareDataDir(dataDir);
  const lock = new LockFile(path.join(real, 'service.lock'));
  if (lock.tryHold('service')) return lock;
  lock.close();
  throw new DataDirInUseError(real);
}
