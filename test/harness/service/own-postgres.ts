import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../../src/core/embedded/embedded-postgres.ts';
import { connect } from '../../../src/core/postgres/db.ts';
import { migrate } from '../../../src/core/postgres/migrate.ts';
import { installCatalogue } from '../../../src/directory/install-catalogue.ts';
import { migrateJobs } from '../../../src/jobs/migrate-jobs.ts';
import type { TestDatabase } from './database.ts';

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
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    stopped = [];
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
      const children = await childrenOf(Number(line));
      stopped = which === 'all' ? [Number(line), ...children] : children;
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    },
    thaw,
    close,
  };
}

/** Lists the processes that a process has started, such as the backends of a server. */
export async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(
    pids.map((pid) =>
      readFile(`/proc/${pid}/stat`, 'utf8').then(
        (stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]),
        () => 0,
      ),
    ),
  );
  return pids.filter((_, at) => parents[at] === parent);
}
