import { chmod, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
const PATHS_LOGGED = 5;

/** Makes everything that this process and its children create readable by their own user only. */
export function createPrivateFiles(): void {
  process.umask(OTHERS);
}

/** Closes what an earlier version left open to every user of the machine: photos, uploads, the index, maps. */
export async function closeFolders(
  { dataDir, photoDir }: { dataDir: string; photoDir: string },
  log: Log,
): Promise<void> {
  for (const folder of [photoDir, ...['index', 'maps', 'uploads'].map((name) => join(dataDir, name))]) {
    const open = await closeToOthers(folder);
    if (open.length > 0)
      log.warn(
        { paths: open.slice(0, PATHS_LOGGED), count: open.length },
        'other users of this machine may be able to read these: they belong to another user, so their modes stay',
      );
  }
}

/**
 * Closes a folder of an earlier version to other users, with all that is in it. A closed folder is not read any further,
 * so only the first start has work to do. Gives the paths that belong to somebody else and therefore stay as they are.
 */
async function closeToOthers(folder: string): Promise<string[]> {
  const path = await realpath(folder).catch(ifMissing);
  return path === undefined ? [] : closeFolder(path);
}

async function closeFolder(folder: string): Promise<string[]> {
  if (!(await isOpen(folder))) return [];
  const kept: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) kept.push(...(await closeFolder(path)));
    else if (entry.isFile() && (await isOpen(path))) kept.push(...(await setMode(path, FILE_MODE)));
  }
  // Last, so that a start that was interrupted is repeated.
  return [...kept, ...(await setMode(folder, FOLDER_MODE))];
}

async function isOpen(path: string): Promise<boolean> {
  const found = await stat(path).catch(ifMissing);
  return found !== undefined && (found.mode & OTHERS) !== 0;
}

async function setMode(path: string, mode: number): Promise<string[]> {
  try {
    await chmod(path, mode);
    return [];
  } catch (thrown) {
    const { code } = thrown as { code?: string };
    if (code === 'ENOENT') return [];
    if (code === 'EPERM' || code === 'EROFS' || code === 'ENOTSUP') return [path];
    throw thrown;
  }
}

/** A file that a job or another node removed meanwhile needs nothing. */
function ifMissing(thrown: unknown): undefined {
  if ((thrown as { code?: string }).code !== 'ENOENT') throw thrown;
}
