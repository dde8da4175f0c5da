import { Logger, runMigrations } from 'graphile-worker';

/** Brings the tables of the job queue up to date. They have a schema and a history of their own. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const logger = new Logger(() => () => undefined);
  await runMigrations({ connectionString: databaseUrl, maxPoolSize: 1, logger });
}
