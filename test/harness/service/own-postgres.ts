import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../../src/core/embedded/embedded-postgres.ts';
import { connect } from '../../../src/core/postgres/db.ts';
import { migrate } from '../../../src/core/postgres/migrate.ts';
import { installCatalogue } from '../../../src/directory/install-catalogue.ts';
import { migrateJobs } from '../../../src/jobs/migrate-jobs.ts';
import type { TestDatabase } from './database.ts';
import { childrenOf, freezeFamily, signalAll } from './processes.ts';

export interface OwnPostgres {
  database: TestDatabase;
  /** Stops processes of the server where they are, as a machine that stands still does: all of them, or its backends. */
  freeze: (which: 'all' | 'backends') => Promise<void>;
  thaw: () => void;
  close: () => Promise<void>;
}

/** A PostgreSQL of one's own, as the service starts it, for tests that do to it what others must not feel. */
export async function startOwnPostgres(statementTimeoutMs: number): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'waypost-own-postgres-'));
  const server = await openEmbeddedPostgres({ dataDir, role: 'service', note: () => undefined });
  const pool = connect(server.url, { max: 5, statementTimeoutMs });
  let stopped: number[] = [];
  const thaw = () => {
    signalAll(stopped.splice(0), 'SIGCONT');
  };
  const close = async () => {
    thaw();
    await pool.end({ timeout: 1 });
    await server.release();
    await rm(dataDir, { recursive: true, force: true });
  };
  await migrate(pool);
  await installCatalogue(pool);
  await migrateJobs(server.url);
  return {
    database: { url: server.url, pool, drop: () => Promise.resolve() },
    freeze: async (which) => {
      const [line = ''] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
      const server = Number(line);
      if (which === 'all') {
        stopped = await freezeFamily(server);
      } else {
        stopped = await childrenOf(server);
        signalAll(stopped, 'SIGSTOP');
      }
    },
    thaw,
    close,
  };
}
