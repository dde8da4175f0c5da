import { buildIndex } from './copied-index.ts';
import { createTestDatabase, TEMPLATE_DATABASE, withServer, type TestDatabase } from './database.ts';

/**
 * A database of the test's own with this many demonstration places. Each size is loaded and indexed once in a run,
 * and each caller gets a copy of both.
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

async function fill(database: TestDatabase, places: number, now: Date): Promise<void> {
  const { loadDemo } = await import('../../../src/demo/load-demo.ts');
  await loadDemo(database.pool, { places, seed: 1, now, progress: () => undefined });
  await buildIndex(database, places, now);
}
