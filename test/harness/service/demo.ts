import { copyFileSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog } from '../../../src/core/log.ts';
import { SOURCE_SQL } from '../../../src/search/build/index-source.ts';
import { checksumOf } from '../../../src/search/store/index-file.ts';
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

/** Puts the index where a service finds it. An index names its database and is named by its checksum: both change. */
export async function copyDemoIndex(places: number, { pool }: TestDatabase, folder: string): Promise<void> {
  const [name = ''] = readdirSync(indexFolder(places));
  const [source] = await pool.unsafe<{ source: string }[]>(`select ${SOURCE_SQL} as source`);
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, 'copy');
  copyFileSync(join(indexFolder(places), name), copy);
  const index = new DatabaseSync(copy);
  index.prepare(`update meta set value = ? where name = 'source'`).run(source?.source ?? '');
  index.close();
  renameSync(copy, join(folder, name.replace(/[0-9a-f]+(?=\.sqlite$)/, await checksumOf(copy))));
}

function indexFolder(places: number): string {
  return join(process.env['TEST_FOLDER'] ?? '', `demo-index-${places}`);
}
