import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { clientOptions, sessionSettings } from '../core/postgres/client-options.ts';

/** Migrates the tables of the job queue, which have their own schema and migration history. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const logger = new Logger(() => () => undefined);
  const pgPool = new pg.Pool({ ...clientOptions(databaseUrl, { name: 'waypost migrations' }), max: 1 });
  pgPool.on('error', () => undefined);
  pgPool.on('connect', (client) => {
    client.on('error', () => undefined);
    client.query(sessionSettings(databaseUrl, { statementTimeoutMs: 0 })).catch(() => undefined);
  });
  try {
    await runMigrations({ pgPool, logger });
  } finally {
    await pgPool.end();
  }
}
