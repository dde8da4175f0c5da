import { renameSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { findPrimary } from '../../core/postgres/servers.ts';
import { openPhotoStorage } from '../../photos/storage/open-storage.ts';
import { fetchParts, storeParts, type FetchTask, type ShareReport, type ShareTask } from '../share/parts.ts';
import { OpenIndex } from '../store/open-index.ts';
import { DamagedIndex } from '../store/stored-place.ts';
import { buildIndex, type BuildReport, type BuildTask } from './build-index.ts';

/** Task of the index child process: build an index, check one, put a copy into the shared storage, or fetch one. */
export type IndexTask =
  { build: BuildTask } | { check: string } | { share: ShareTask } | { fetch: FetchTask };

/** Message from the child process to its parent. */
export type IndexMessage =
  { done: BuildReport | ShareReport | null } | { failed: string; code?: unknown } | { percent: number };

function send(message: IndexMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => {
      resolve();
    });
  });
}

async function work(task: IndexTask): Promise<BuildReport | ShareReport | null> {
  if ('build' in task) {
    await findPrimary(task.build.databaseUrl);
    return buildIndex(task.build);
  }
  if ('fetch' in task) return fetchCopy(task.fetch);
  // Requests have priority. A damaged file may crash the process, which the parent treats as a result as well.
  setPriority(constants.priority.PRIORITY_LOW);
  if ('share' in task) return shareCopy(task.share);
  const { store } = new OpenIndex(task.check, true);
  if (!store.isWhole()) throw new DamagedIndex('The index does not contain what was written to it.');
  await store.close();
  return null;
}

const sendPercent = (percent: number) => void send({ percent });

async function fetchCopy({ file, storage, ...copy }: FetchTask): Promise<null> {
  const draft = `${file}.part`;
  try {
    await fetchParts(openPhotoStorage(storage), copy, draft, sendPercent);
    renameSync(draft, file);
    return null;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Stores a copy of an index that may be in use. */
async function shareCopy({ file, draft, id, storage }: ShareTask): Promise<ShareReport> {
  try {
    const { store } = new OpenIndex(file, true);
    await store.copyTo(draft);
    await store.close();
    const { store: copy } = new OpenIndex(draft, true);
    const [{ places }, position = ''] = [copy.size(), copy.meta('snapshot')];
    await copy.close();
    return { places, position, ...(await storeParts(openPhotoStorage(storage), id, draft, sendPercent)) };
  } finally {
    for (const path of [draft, `${draft}-lock`]) rmSync(path, { force: true });
  }
}

async function run(task: IndexTask): Promise<void> {
  try {
    await send({ done: await work(task) });
  } catch (thrown) {
    const { code } = thrown as { code?: unknown };
    await send({ failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown), code });
  }
  process.exit();
}

process.once('message', (task: IndexTask) => void run(task));
// The parent process is gone.
process.once('disconnect', () => {
  process.exit();
});
