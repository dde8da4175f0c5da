import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../../src/core/log.ts';
import { noteCurrent } from '../../../src/search/store/index-files.ts';
import { SOURCE_SQL } from '../../../src/search/store/index-source.ts';
import { IndexStore } from '../../../src/search/store/index-store.ts';
import { createTestDatabase, TEMPLATE_DATABASE, withServer, type TestDatabase } from './database.ts';

/**
 * A database of the test's own with so many places of the demonstration. Each size is loaded and indexed once in a run;
 * whoever wants it gets a copy of both.
 */
export async function createDemoDatabase(places: number, now: Date): Promise<TestDatabase> {
  const template = `${TEMPLATE_DATABASE}_demo_${places}`;
  await withServer(async (admin) => {
    await admin`select pg_advisory_lock(${places})`;
    const [made] = await admin`select 1 from pg_database where datname = ${template}`;
    if (made !== undefined) return;
    const filled = await createTestDatabase();
    await fill(filled, places, now);
    await filled.pool.end();
    // It gets its name when it is whole.
    await admin.unsafe(`alter database ${new URL(filled.url).pathname.slice(1)} rename to ${template}`);
  });
  return createTestDatabase(template);
}

async function fill({ pool, url }: TestDatabase, places: number, now: Date): Promise<void> {
  const { loadDemo } = await import('../../../src/demo/load-demo.ts');
  const { buildFile } = await import('../../../src/search/build/build-file.ts');
  await loadDemo(pool, { places, seed: 1, now, progress: () => undefined });
  const folder = indexFolder(places);
  mkdirSync(folder, { recursive: true });
  const log = createLog('silent', { write: () => undefined });
  const options = { pool, databaseUrl: url, folder, clock: { now: () => now }, log };
  await buildFile(options, new AbortController().signal);
}

/** Puts the index where a service finds it. An index names its database, which is another one here. */
export async function copyDemoIndex(places: number, { pool }: TestDatabase, folder: string): Promise<void> {
  const [name = ''] = readdirSync(indexFolder(places)).filter((file) => file.endsWith('.mdb'));
  const [source] = await pool.unsafe<{ source: string }[]>(`select ${SOURCE_SQL} as source`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  copyFileSync(join(indexFolder(places), name), file);
  const store = new IndexStore(file);
  store.change(() => {
    store.setMeta('source', source?.source ?? '');
  });
  await store.close();
  noteCurrent(folder, file);
}

function indexFolder(places: number): string {
  return join(process.env['TEST_FOLDER'] ?? '', `demo-index-${places}`);
}
