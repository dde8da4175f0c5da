import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../../src/core/log.ts';
import type { Pool } from '../../../src/core/postgres/db.ts';
import { recordCurrent } from '../../../src/search/store/index-files.ts';
import { IndexStore } from '../../../src/search/store/index-store.ts';

/** Builds the index of a database that others are copies of, with so many places, once in a run. */
export async function buildIndex(
  { pool, url }: { pool: Pool; url: string },
  places: number,
  now: Date,
): Promise<void> {
  const { buildFile } = await import('../../../src/search/build/build-file.ts');
  const folder = indexFolder(places);
  mkdirSync(folder, { recursive: true });
  const log = createLog('silent', { write: () => undefined });
  const options = { pool, databaseUrl: url, folder, clock: { now: () => now }, log };
  await buildFile(options, new AbortController().signal);
}

/** Puts the index where a service finds it. An index names its database, which is another one here. */
export async function copyIndex(places: number, pool: Pool, folder: string): Promise<void> {
  const [name = ''] = readdirSync(indexFolder(places)).filter((file) => file.endsWith('.mdb'));
  const [source] = await pool<{ source: string }[]>`select change_source() as source`;
  // A clone is no promoted server that has to be compared first.
  await pool`update change_sequence set history = change_history()`;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  copyFileSync(join(indexFolder(places), name), file);
  const store = new IndexStore(file);
  store.change(() => {
    store.setMeta('source', source?.source ?? '');
  });
  await store.close();
  recordCurrent(folder, file, 'closed');
}

function indexFolder(places: number): string {
  const folder = process.env['TEST_FOLDER'];
  if (!folder) throw new Error('TEST_FOLDER names the folder of a run of tests.');
  return join(folder, `index-${places}`);
}
