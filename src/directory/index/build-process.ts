import { buildWithReader, type BuildReport } from './build-index.ts';
import type { BuildTask } from './read-places.ts';

/** What the process that builds an index tells the one that asked for it. */
export type BuildNews = { done: number; total: number } | { report: BuildReport } | { failed: string };

function tell(news: BuildNews): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(news, () => {
      resolve();
    });
  });
}

async function build(task: BuildTask): Promise<void> {
  try {
    const report = await buildWithReader(task, (done, total) => void tell({ done, total }));
    await tell({ report });
  } catch (thrown) {
    await tell({ failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
  }
  process.exit();
}

process.once('message', (task: BuildTask) => void build(task));
// Whoever asked for the index is gone, however that came.
process.once('disconnect', () => {
  process.exit();
});
