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

/** Removes other users' access to what an earlier version left readable: photos, uploads, the index, maps. */
export async function closeFolders(
  { dataDir, photoDir }: { dataDir: string; photoDir: string },
  log: Log,
): Promise<void> {
  for (const folder of [photoDir, ...['index', 'maps', 'uploads'].map((name) => join(dataDir, name))]) {
    const open = await closeToOthers(folder);
    if (open.length > 0)
      log.warn(
        { paths: open.slice(0, PATHS_LOGGED), count: open.length },
        'other users of this machine may be able to read these files: they belong to another user, so their modes were not changed',
      );
  }
}

/** Removes other users' access to a folder and everything in it. Returns paths that belong to another user. */
async function closeToOthers(folder: string): Promise<string[]> {
  const path = await realpath(folder).catch(ifMissing);
  return path === undefined ? [] : closeFolder(path);
}

async function closeFolder(folder: string): Promise<string[]> {
  if (!(await isOpen(folder))) return [];
  const unchanged: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) unchanged.push(...(await closeFolder(path)));
    else if (entry.isFile() && (await isOpen(path))) unchanged.push(...(await setMode(path, FILE_MODE)));
  }
  // The folder itself is closed last: an open folder shows the next start that its content may still be open.
  return [...unchanged, ...(await setMode(folder, FOLDER_MODE))];
}

async function isOpen(path: string): Promise<boolean> {
  const status = await stat(path).catch(ifMissing);
  return status !== undefined && (status.mode & OTHERS) !== 0;
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

/** Ignores a file that a job or another node has removed meanwhile. */
function ifMissing(thrown: unknown): undefined {
  if ((thrown as { code?: string }).code !== 'ENOENT') throw thrown;
}
