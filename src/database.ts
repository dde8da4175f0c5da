import type { Config } from './config.ts';
import { holdDataDir } from './core/embedded/data-dir.ts';
import type { EmbeddedOptions, EmbeddedPostgres } from './core/embedded/embedded-postgres.ts';
import { connect, POOL_END_SECONDS, STATEMENT_TIMEOUT_MS, type Pool } from './core/postgres/db.ts';
import { describeInstallation } from './core/installation/installation.ts';
import { inTurn, migrate } from './core/postgres/migrate.ts';
import { refuseUnfit } from './database-fault.ts';
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
 * Who opens it: the service, a tool beside it, or a restore, which takes the place of the service and is in no hurry.
 */
type Role = 'service' | 'tool' | 'restore';

/**
 * Opens the database of the settings, embedded or by its address, and brings its tables up to date. `waiting` is called
 * when the embedded one has been launched: this process has nothing to do then.
 */
export async function openDatabase(
  config: Config,
  role: Role,
  note: (message: string) => void,
  waiting?: () => void,
): Promise<Database> {
  const database = await openAsItIs(config, role, note, waiting);
  const { pool, url } = database;
  try {
    for (const name of await migrate(pool)) note(`applied ${name}`);
    if (!(await jobsAreMigrated(pool))) await prepareJobs(pool, url);
    await installCatalogue(pool);
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
  return database;
}

/** Brings the tables of the job queue up to date. Nodes that start in the same moment take turns. */
async function prepareJobs(pool: Pool, url: string): Promise<void> {
  const { migrateJobs } = await import('./jobs/migrate-jobs.ts');
  await inTurn(pool, async (sql) => {
    if (!(await jobsAreMigrated(sql))) await migrateJobs(url);
  });
}

/** Opens the database of the settings and leaves its tables as they are. */
export async function openAsItIs(
  config: Config,
  role: Role,
  note: (message: string) => void,
  waiting?: () => void,
): Promise<Database> {
  const { dataDir, databaseUrl } = config;
  // What serves keeps its index there, wherever the database is.
  const held = role === 'service' ? await holdDataDir(dataDir) : undefined;
  let embedded: EmbeddedPostgres | undefined;
  let pool: Pool | undefined;
  const close = async () => {
    await pool?.end({ timeout: POOL_END_SECONDS });
    await embedded?.release();
    held?.close();
  };
  try {
    if (databaseUrl === undefined)
      embedded = await openEmbedded({ dataDir, role: role === 'tool' ? 'tool' : 'service', note, waiting });
    const url = embedded?.url ?? databaseUrl ?? '';
    const statementTimeoutMs = role === 'service' ? STATEMENT_TIMEOUT_MS : 0;
    pool = connect(url, { max: config.databasePool, statementTimeoutMs });
    const [server = { version: '', encoding: '' }] = await pool<{ version: string; encoding: string }[]>`
      select current_setting('server_version') as version, current_setting('server_encoding') as encoding`;
    refuseUnfit(server);
    const place = embedded === undefined ? describeInstallation(config) : `PostgreSQL in ${dataDir}`;
    return { pool, url, place, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

// Loaded only where it is wanted: a command that is given an address does not wait for it.
async function openEmbedded(options: EmbeddedOptions) {
  const { openEmbeddedPostgres } = await import('./core/embedded/embedded-postgres.ts');
  return openEmbeddedPostgres(options);
}
