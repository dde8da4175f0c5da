import type { Config } from './config.ts';
import { connect, STATEMENT_TIMEOUT_MS, type Pool } from './core/db.ts';
import { openEmbeddedPostgres } from './core/embedded-postgres.ts';
import { migrate } from './core/migrate.ts';
import { installCatalogue } from './directory/install-catalogue.ts';

export interface Database {
  pool: Pool;
  url: string;
  /** What to tell a person about where the data is. */
  place: string;
  close(): Promise<void>;
}

const POOL_END_SECONDS = 5;

/** Opens the database of the settings, embedded or by its address, and brings its tables up to date. */
export async function openDatabase(
  config: Config,
  role: 'service' | 'tool',
  note: (message: string) => void,
): Promise<Database> {
  const embedded =
    config.databaseUrl === undefined
      ? await openEmbeddedPostgres({ dataDir: config.dataDir, role, note })
      : undefined;
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
    for (const name of await migrate(pool)) note(`applied ${name}`);
    await installCatalogue(pool);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const place = embedded === undefined ? 'the PostgreSQL of DATABASE_URL' : `PostgreSQL in ${config.dataDir}`;
  return { pool, url, place, close };
}
