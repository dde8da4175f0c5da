import type { Config } from './config.ts';
import { prepareDataDir } from './core/embedded/data-dir.ts';
import type { EmbeddedOptions } from './core/embedded/embedded-postgres.ts';
import { connect, POOL_END_SECONDS, STATEMENT_TIMEOUT_MS, type Pool } from './core/postgres/db.ts';
import { migrate } from './core/postgres/migrate.ts';
import { refuseOldServer } from './database-fault.ts';
import { installCatalogue } from './directory/install-catalogue.ts';
import { jobsAreMigrated } from './jobs/jobs-migrated.ts';

export interface Database {
  pool: Pool;
  url: string;
  /** What to tell a person about where the data is. */
  place: string;
  close(): Promise<void>;
}

/**
 * Opens the database of the settings, embedded or by its address, and brings its tables up to date. `waiting` is called
 * when the embedded one has been launched: this process has nothing to do then.
 */
export async function openDatabase(
  config: Config,
  role: 'service' | 'tool',
  note: (message: string) => void,
  waiting?: () => void,
): Promise<Database> {
  const embedded =
    config.databaseUrl === undefined
      ? await openEmbedded({ dataDir: config.dataDir, role, note, waiting })
      : undefined;
  // What serves keeps its index there, wherever the database is.
  if (embedded === undefined && role === 'service') await prepareDataDir(config.dataDir);
  const url = embedded?.url ?? config.databaseUrl ?? '';
  const pool = connect(url, {
    max: config.databasePool,
    statementTimeoutMs: role === 'service' ? STATEMENT_TIMEOUT_MS : 0,
  });
  const close = async () => {
    await pool.end({ timeout: POOL_END_SECONDS });
    await embedded?.release();
  };
  try {
    const [server] = await pool<{ version: string }[]>`select current_setting('server_version') as version`;
    refuseOldServer(server?.version ?? '');
    for (const name of await migrate(pool)) note(`applied ${name}`);
    if (!(await jobsAreMigrated(pool))) await (await import('./jobs/migrate-jobs.ts')).migrateJobs(url);
    await installCatalogue(pool);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const place = embedded === undefined ? 'the PostgreSQL of DATABASE_URL' : `PostgreSQL in ${config.dataDir}`;
  return { pool, url, place, close };
}

// Loaded only where it is wanted: a command that is given an address does not wait for it.
async function openEmbedded(options: EmbeddedOptions) {
  const { openEmbeddedPostgres } = await import('./core/embedded/embedded-postgres.ts');
  return openEmbeddedPostgres(options);
}
