import { constants, setPriority } from 'node:os';
import { OpenIndex } from '../store/open-index.ts';
import { DamagedIndex } from '../store/stored-place.ts';
import { buildIndex, type BuildReport, type BuildTask } from './build-index.ts';

/** What a process of its own does with an index: build one, or read one through. */
export type IndexTask = { build: BuildTask } | { check: string };

/** What it tells the one that asked for it. */
export type IndexNews = { done: BuildReport } | { failed: string; code?: unknown };

function tell(news: IndexNews): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(news, () => {
      resolve();
    });
  });
}

async function work(task: IndexTask): Promise<BuildReport> {
  if ('build' in task) return buildIndex(task.build);
  // Requests come first. A file that is damaged may also end the process, which is an answer as well.
  setPriority(constants.priority.PRIORITY_LOW);
  const { store } = new OpenIndex(task.check, true);
  if (!store.isWhole()) throw new DamagedIndex('The index does not hold what was written to it.');
  const { places } = store.size();
  await store.close();
  return { places, file: task.check };
}

async function run(task: IndexTask): Promise<void> {
  try {
    await tell({ done: await work(task) });
  } catch (thrown) {
    const { code } = thrown as { code?: unknown };
    await tell({ failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown), code });
  }
  process.exit();
}

process.once('message', (task: IndexTask) => void run(task));
// Whoever asked for it is gone, however that came.
process.once('disconnect', () => {
  process.exit();
});
