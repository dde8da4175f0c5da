import { constants, setPriority } from 'node:os';
import { findPrimary } from '../../core/postgres/servers.ts';
import { OpenIndex } from '../store/open-index.ts';
import { DamagedIndex } from '../store/stored-place.ts';
import { buildIndex, type BuildReport, type BuildTask } from './build-index.ts';

/** Task of the index child process: build an index or check one. */
export type IndexTask = { build: BuildTask } | { check: string };

/** Message from the child process to its parent. */
export type IndexMessage = { done: BuildReport } | { failed: string; code?: unknown };

function send(message: IndexMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => {
      resolve();
    });
  });
}

async function work(task: IndexTask): Promise<BuildReport> {
  if ('build' in task) {
    await findPrimary(task.build.databaseUrl);
    return buildIndex(task.build);
  }
  // Requests have priority. A damaged file may crash the process, which the parent treats as a result as well.
  setPriority(constants.priority.PRIORITY_LOW);
  const { store } = new OpenIndex(task.check, true);
  if (!store.isWhole()) throw new DamagedIndex('The index does not contain what was written to it.');
  const { places } = store.size();
  await store.close();
  return { places, file: task.check };
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
