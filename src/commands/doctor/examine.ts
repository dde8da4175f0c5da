import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { createLog } from '../../core/log.ts';
import { explainDatabase } from '../../node/database-fault.ts';
import { openAsItIs, type Database } from '../../node/database.ts';
import { refuseUnfitPooler } from '../../node/pooler.ts';
import { DATABASE_CHECKS } from './database-checks.ts';
import { reasonOf, type Check, type CheckFinding } from './finding.ts';
import { MACHINE_CHECKS } from './machine-checks.ts';
import { OUTSIDE_CHECKS } from './outside-checks.ts';

/** Checks an installation without changing it, and yields each result as soon as it is known. */
export async function* examine(config: Config): AsyncGenerator<CheckFinding> {
  yield* runChecks(MACHINE_CHECKS, { config });
  const opened = await openForChecks(config);
  if ('state' in opened) {
    yield opened;
    return;
  }
  const { pool } = opened;
  try {
    yield* runChecks(DATABASE_CHECKS, { config, pool });
    const log = createLog('silent', { write: () => undefined });
    yield* runChecks(OUTSIDE_CHECKS, { config, pool, log });
  } finally {
    await opened.close();
  }
}

async function* runChecks<Parts>(
  checks: readonly Check<Parts>[],
  parts: Parts,
): AsyncGenerator<CheckFinding> {
  for (const check of checks) {
    try {
      yield await check(parts);
    } catch (thrown) {
      const name = check.name.replace('check', '');
      const fix = 'See the lines above; if they do not explain it, report this as a defect.';
      yield { name, state: 'fault', text: `The check failed: ${reasonOf(thrown)}`, fix };
    }
  }
}

/** False before the first start of a node with a database of its own, which opening it would create. */
export function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || existsSync(join(dataDir, 'postgres', 'PG_VERSION'));
}

/** Opens the database as it is: a check neither creates one nor migrates it. */
async function openForChecks(config: Config): Promise<Database | CheckFinding> {
  const name = 'Database';
  if (!hasDatabase(config))
    return {
      ...{ name, state: 'warning', text: `There is none in ${config.dataDir} yet.` },
      fix: 'The first start of the service creates it. For another installation, set DATA_DIR or DATABASE_URL.',
    };
  let database: Database | undefined;
  try {
    database = await openAsItIs(config, 'tool', () => undefined);
    if (config.databaseUrl !== undefined) await refuseUnfitPooler(config, database.url);
    return database;
  } catch (thrown) {
    await database?.close();
    const text = explainDatabase(thrown, config) ?? reasonOf(thrown);
    const fix = 'Correct DATABASE_URL or the server that it names, then run this command again.';
    return { name, state: 'fault', text, fix };
  }
}
