import { buildWithReader, type BuildReport } from './build-index.ts';
import type { BuildTask } from './read-places.ts';

/** What the process that builds an index tells the one that asked for it. */
export type BuildNews = { report: BuildReport } | { failed: string };

function tell(news: BuildNews): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(news, () => {
      resolve();
    });
  });
}

async function build(task: BuildTask): Promise<void> {
  try {
    await tell({ report: await buildWithReader(task) });
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
