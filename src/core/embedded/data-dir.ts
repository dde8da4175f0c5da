import { randomUUID } from 'node:crypto';
import { access, chmod, constants, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onMissing } from './cluster.ts';
import { LockFile } from './folder-lock.ts';
import { DataDirInUseError, EmbeddedPostgresError } from './not-started.ts';

/** Creates the data directory if it is missing, and checks by writing a file that it is usable. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  const permissions = constants.R_OK | constants.W_OK | constants.X_OK;
  try {
    const created = await mkdir(dataDir, { recursive: true });
    // As root, PostgreSQL runs as another user, who needs access to its own folder inside.
    if (created !== undefined && process.getuid?.() === 0) await chmod(dataDir, 0o711);
    const real = await realpath(dataDir);
    // Permissions do not reveal a file system that is mounted read-only.
    const probe = path.join(real, `.probe-${randomUUID()}`);
    await writeFile(probe, '');
    await rm(probe);
    await access(path.join(real, 'postgres'), permissions).catch(onMissing(undefined));
    return real;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.replace(/, \w+ '.*'$/, '') : String(cause);
    throw new EmbeddedPostgresError(
      `The data directory ${path.resolve(dataDir)} cannot be used: ${message}. ` +
        'Start Waypost as the user it belongs to, or choose another DATA_DIR.',
      { cause },
    );
  }
}

/** Locks the data directory against other services, because its search index has one writer. */
export async function lockDataDir(dataDir: string): Promise<LockFile> {
  const real = await prepareDataDir(dataDir);
  const lock = new LockFile(path.join(real, 'service.lock'));
  if (lock.tryLock('service')) return lock;
  lock.close();
  throw new DataDirInUseError(real);
}
