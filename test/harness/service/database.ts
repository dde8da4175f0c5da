import { randomBytes } from 'node:crypto';
import { connect, type Pool } from '../../../src/core/postgres/db.ts';
import { migrate } from '../../../src/core/postgres/migrate.ts';
import { installCatalogue } from '../../../src/directory/install-catalogue.ts';
import { migrateJobs } from '../../../src/jobs/migrate-jobs.ts';
import { buildIndex } from './copied-index.ts';

/** Four times what a request may take: when all test processes start on a busy machine, connecting took 20 seconds. */
const PATIENT_MS = 60_000;
export const TEMPLATE_DATABASE = 'waypost_template';

/** The migrated database, with the catalogue, that every test clones, and its index. */
export async function createTemplate(serverUrl: string): Promise<void> {
  const admin = connect(serverUrl, { max: 1, statementTimeoutMs: 0 });
  await admin.unsafe(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const url = databaseUrl(serverUrl, TEMPLATE_DATABASE);
  const pool = connect(url, { max: 2, statementTimeoutMs: 0 });
  await migrate(pool);
  await installCatalogue(pool);
  await buildIndex({ pool, url }, 0, new Date());
  await pool.end();
  await migrateJobs(url);
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
  // A run opens thousands of connections, and the proof of a password is made to take long.
  const { username, password } = new URL(serverUrl);
  await admin`set scram_iterations = 1`;
  await admin.unsafe(`alter role ${username} password '${password}'`);
  await admin.end();
}

export interface TestDatabase {
  url: string;
  pool: Pool;
  /** The size of the demonstration that a service loaded on it; undefined if no service did. */
  begunWith?: number;
  /** Closes the services on it. It is dropped after them, whatever the order of a file's hooks. */
  closeServices?: Set<() => Promise<void>>;
  drop(): Promise<void>;
}

/** A database of the test's own: a copy of the migrated one, or of another that is named. */
export async function createTestDatabase(template = TEMPLATE_DATABASE): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying files costs a checkpoint, which is cheap while nothing waits for the disk, and writes no log.
  await withServer((admin) =>
    admin.unsafe(`create database ${name} template ${template} strategy file_copy`),
  );
  const url = databaseUrl(testServer(), name);
  const pool = connect(url, { max: 10, statementTimeoutMs: PATIENT_MS });
  const closeServices = new Set<() => Promise<void>>();
  return {
    url,
    pool,
    closeServices,
    drop: async () => {
      for (const close of closeServices) await close();
      await pool.end({ timeout: 1 });
      await withServer((admin) => admin.unsafe(`drop database ${name} with (force)`));
    },
  };
}

/** A transaction that the test ends by itself. The server waits for its next statement for as long as the test takes. */
export async function beginTransaction(pool: Pool): Promise<Awaited<ReturnType<Pool['reserve']>>> {
  const transaction = await pool.reserve();
  await transaction`begin`;
  await transaction`set local idle_in_transaction_session_timeout = 0`;
  return transaction;
}

/**
 * An empty database whose owner may do nothing else on the server, as those who run one for others give it. What tells
 * about the server is closed to it, where that is open by default.
 */
export async function createPlainDatabase(serverUrl = testServer()): Promise<Omit<TestDatabase, 'pool'>> {
  const name = `plain_${randomBytes(8).toString('hex')}`;
  const url = new URL(databaseUrl(serverUrl, name));
  const asAdmin = async (at: string, ...statements: string[]) => {
    const admin = connect(at, { max: 1, statementTimeoutMs: 0 });
    for (const statement of statements) await admin.unsafe(statement);
    await admin.end();
  };
  await asAdmin(
    serverUrl,
    `create role ${name} login password 'ordinary'`,
    `create database ${name} template template0 owner ${name}`,
  );
  await asAdmin(
    url.href,
    'revoke execute on function pg_control_system(), pg_control_checkpoint() from public',
  );
  url.username = name;
  url.password = 'ordinary';
  const drop = () => asAdmin(serverUrl, `drop database if exists ${name} with (force)`, `drop role ${name}`);
  return { url: url.href, drop };
}

/** Does something on the test server itself, by a connection that ends with it. */
export async function withServer(work: (admin: Pool) => Promise<unknown>): Promise<void> {
  const admin = connect(testServer(), { max: 1, statementTimeoutMs: PATIENT_MS });
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function testServer(): string {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server)
    throw new Error('Run the tests with npm test, which brings up PostgreSQL: npm test -- path/of/a.test.ts');
  return server;
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
