import { randomBytes } from 'node:crypto';
import { connect, type Pool } from '../../src/core/postgres/db.ts';
import { migrate } from '../../src/core/postgres/migrate.ts';
import { installCatalogue } from '../../src/directory/install-catalogue.ts';
import { migrateJobs } from '../../src/jobs/migrate-jobs.ts';

export const TEMPLATE_DATABASE = 'waypost_template';

/** The migrated database, with the catalogue, that every test clones. */
export async function createTemplate(serverUrl: string): Promise<void> {
  const admin = connect(serverUrl, { max: 1, statementTimeoutMs: 0 });
  await admin.unsafe(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const pool = connect(databaseUrl(serverUrl, TEMPLATE_DATABASE), { max: 1, statementTimeoutMs: 0 });
  await migrate(pool);
  await installCatalogue(pool);
  await pool.end();
  await migrateJobs(databaseUrl(serverUrl, TEMPLATE_DATABASE));
}

/**
 * Sets the server up for tests, from its next start on: it serves several files at once, some with two nodes, and ends
 * with them, so that nothing waits for the disk. Tests about crashes start servers of their own, which stay durable.
 */
export async function prepareTestServer(serverUrl: string): Promise<void> {
  const admin = connect(serverUrl, { max: 1, statementTimeoutMs: 0 });
  await admin`alter system set fsync = off`;
  await admin`alter system set full_page_writes = off`;
  await admin`alter system set max_connections = 300`;
  await admin.end();
}

export interface TestDatabase {
  url: string;
  pool: Pool;
  drop(): Promise<void>;
}

/** A database of the test's own: a copy of the template, or an empty one. */
export async function createTestDatabase(from: 'template' | 'nothing' = 'template'): Promise<TestDatabase> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server)
    throw new Error('Run the tests with npm test, which brings up PostgreSQL: npm test -- path/of/a.test.ts');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = connect(server, { max: 1, statementTimeoutMs: 0 });
  const template = from === 'template' ? TEMPLATE_DATABASE : 'template0';
  // Copying files costs a checkpoint, which is cheap while nothing waits for the disk, and writes no log.
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  const url = databaseUrl(server, name);
  const pool = connect(url, { max: 10, statementTimeoutMs: 15_000 });
  return {
    url,
    pool,
    drop: async () => {
      await pool.end({ timeout: 1 });
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
