import type { Config } from '../config.ts';
import { lockDataDir } from '../core/embedded/data-dir.ts';
import type { EmbeddedOptions, EmbeddedPostgres } from '../core/embedded/embedded-postgres.ts';
import { connect, POOL_END_SECONDS, STATEMENT_TIMEOUT_MS, type Pool } from '../core/postgres/db.ts';
import { patientReads } from '../core/postgres/patient-reads.ts';
import { findPrimary } from '../core/postgres/servers.ts';
import { describeInstallation } from '../core/installation.ts';
import { withMigrationLock, migrate } from '../core/postgres/migrate.ts';
import { refuseUnfit } from './database-fault.ts';
import { refuseUnfitPooler } from './pooler.ts';
import { installCatalogue } from '../directory/install-catalogue.ts';
import { jobsAreMigrated } from '../jobs/jobs-migrated.ts';

export interface Database {
  pool: Pool;
  /** Leads to the server itself: for listening, jobs, migrations and builds of the index. */
  url: string;
  place: string;
  close(): Promise<void>;
}

const TOOL_CONNECTIONS = 10;

/** The service, a tool beside it, or a restore, which replaces the service and has no statement timeout. */
type Role = 'service' | 'tool' | 'restore';

/** Opens the configured database and migrates it. */
export async function openDatabase(...opening: Parameters<typeof openAsItIs>): Promise<Database> {
  const [config, role, note] = opening;
  const database = await openAsItIs(...opening);
  const { url } = database;
  const isPooled = role === 'service' && config.databaseDirectUrl !== undefined;
  const pool = isPooled ? connect(url, { max: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS }) : database.pool;
  try {
    for (const name of await migrate(pool)) note(`applied ${name}`);
    if (!(await jobsAreMigrated(pool))) await prepareJobs(pool, url);
    await installCatalogue(pool);
    if (isPooled) await pool.end({ timeout: POOL_END_SECONDS });
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
  return database;
}

/** Migrates the tables of the job queue. Nodes that start at the same moment take turns. */
async function prepareJobs(pool: Pool, url: string): Promise<void> {
  const { migrateJobs } = await import('../jobs/migrate-jobs.ts');
  await withMigrationLock(pool, async (sql) => {
    if (!(await jobsAreMigrated(sql))) await migrateJobs(url);
  });
}

/** Opens the configured database without migrating it. `waiting` is called when this process is idle meanwhile. */
export async function openAsItIs(
  config: Config,
  role: Role,
  note: (message: string) => void,
  waiting?: () => void,
): Promise<Database> {
  const { dataDir, databaseUrl, databaseDirectUrl } = config;
  // The service keeps its index in DATA_DIR, wherever the database is.
  const dataDirLock = role === 'service' ? await lockDataDir(dataDir) : undefined;
  let embedded: EmbeddedPostgres | undefined;
  let pool: Pool | undefined;
  const close = async () => {
    await pool?.end({ timeout: POOL_END_SECONDS });
    await embedded?.release();
    dataDirLock?.close();
  };
  try {
    if (databaseUrl === undefined)
      embedded = await openEmbedded({ dataDir, role: role === 'tool' ? 'tool' : 'service', note, waiting });
    const url = embedded?.url ?? databaseDirectUrl ?? databaseUrl ?? '';
    await findPrimary(url);
    pool =
      role === 'service'
        ? openServicePool(config, url)
        : connect(url, { max: TOOL_CONNECTIONS, statementTimeoutMs: 0 });
    const [server = { version: '', encoding: '' }] = await pool<{ version: string; encoding: string }[]>`
      select current_setting('server_version') as version, current_setting('server_encoding') as encoding`;
    refuseUnfit(server);
    if (role === 'service' && databaseUrl !== undefined) await refuseUnfitPooler(config, url);
    const place = embedded === undefined ? describeInstallation(config) : `PostgreSQL in ${dataDir}`;
    return { pool, url, place, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Opens a pool for requests, which goes through the pooler where there is one. `url` leads to the server itself. */
export function openServicePool(
  { databaseUrl, databaseDirectUrl, pools }: Config,
  url: string,
  { readOnly = false } = {},
): Pool {
  const isPooled = databaseUrl !== undefined && databaseDirectUrl !== undefined;
  const options = {
    max: readOnly ? pools.read : pools.write,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    readOnly,
    isPooled,
  };
  return connect(isPooled ? databaseUrl : url, options);
}

/** Opens the connections on which requests read, as the two pools that `Deps` describes. */
export function openReadPools(config: Config, url: string): { readPool: Pool; publicReads: Pool } {
  const pool = openServicePool(config, url, { readOnly: true });
  const patient = (asksStandby: boolean) =>
    patientReads(pool, url, { asksStandby, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  return { readPool: patient(false), publicReads: patient(true) };
}

// Loaded on demand: a command that uses a remote database does not wait for it.
async function openEmbedded(options: EmbeddedOptions) {
  const { openEmbeddedPostgres } = await import('../core/embedded/embedded-postgres.ts');
  return openEmbeddedPostgres(options);
}
