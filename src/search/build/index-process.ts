import { OpenIndex } from '../store/open-index.ts';
import { DamagedIndex, StoredPlace } from '../store/stored-place.ts';
import { buildIndex, type BuildReport, type BuildTask } from './build-index.ts';

/** What a process of its own does with an index: build one, or read one through. */
export type IndexTask = { build: BuildTask } | { check: string };

/** What it tells the one that asked for it. */
export type IndexNews = { done: BuildReport } | { failed: string };

function tell(news: IndexNews): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(news, () => {
      resolve();
    });
  });
}

async function work(task: IndexTask): Promise<BuildReport> {
  if ('build' in task) return buildIndex(task.build);
  const index = new OpenIndex(task.check, true);
  const places = readThrough(index);
  await index.close();
  return { places, file: task.check };
}

/** Reads every card and every list. A file that is damaged may also end the process, which is an answer as well. */
function readThrough({ store }: OpenIndex): number {
  let places = 0;
  for (const { value } of store.cards.getRange({})) {
    if (!new StoredPlace(value).isWhole) throw new DamagedIndex('A card is not as it was written.');
    places++;
  }
  for (const table of [
    store.lists,
    store.world,
    store.names,
    store.ids,
    store.spelling,
    store.hours,
    store.areas,
    store.vocabulary,
  ])
    for (const { value } of table.getRange({}))
      if (value.length === 0) throw new DamagedIndex('An entry of the index is empty.');
  return places;
}

async function run(task: IndexTask): Promise<void> {
  try {
    await tell({ done: await work(task) });
  } catch (thrown) {
    await tell({ failed: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
  }
  process.exit();
}

process.once('message', (task: IndexTask) => void run(task));
// Whoever asked for it is gone, however that came.
process.once('disconnect', () => {
  process.exit();
});
