import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveWriter } from '../../backup/write-archive.ts';
import type { Config } from '../../config.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { RELEASE } from '../../core/release.ts';
import { openAsItIs, type Database } from '../../node/database.ts';
import { examine, hasDatabase } from './examine.ts';
import { findingLines, reasonOf } from './finding.ts';
import { hideSecrets, listSettings, secretTexts } from './hide-secrets.ts';

interface BundleOptions {
  /** Where the archive is written. */
  file: string;
  /** The log of the service, which its operator keeps. */
  log: string | undefined;
  say: (line: string) => void;
}

const ANSWER_MS = 5_000;
const LOG_BYTES = 2 ** 20;

/** Questions to the database. None of them reads what people have entered. */
const QUERIES: Readonly<Record<string, string>> = {
  migrations: 'select name, checksum, applied_at from migration order by name',
  tables: `
    select schemaname as schema, relname as name, n_live_tup as rows, n_dead_tup as dead_rows,
      pg_table_size(relid) as table_bytes, pg_indexes_size(relid) as index_bytes, last_autovacuum, last_autoanalyze
    from pg_stat_user_tables order by pg_total_relation_size(relid) desc, relname`,
  indexes: `
    select schemaname as schema, indexrelname as name, pg_relation_size(indexrelid) as bytes, idx_scan as scans
    from pg_stat_user_indexes order by 3 desc, 2`,
  connections: `
    select application_name, state, wait_event_type, count(*)::int from pg_stat_activity
    where datname = current_database() group by 1, 2, 3 order by 4 desc`,
  jobs: `
    select task_identifier as task, locked_at is not null as running, attempts >= max_attempts as failed,
      count(*)::int, min(run_at) as oldest from graphile_worker.jobs group by 1, 2, 3 order by 1, 2, 3`,
  nodes: 'select node, kind, seen_at, stalled_since from job_runner order by node, kind',
  shared_indexes:
    'select id, format, begun_at, finished_at, bytes, places, position::text from shared_index order by begun_at',
  server: `
    select name, setting, unit from pg_settings where source not in ('default', 'override', 'client')
      and name not like '%file%' and name not like '%director%' and name <> 'primary_conninfo' order by name`,
};

/** Writes what a maintainer needs into one archive. Every text passes `hideSecrets`. */
export async function writeSupportBundle(config: Config, { file, log, say }: BundleOptions): Promise<void> {
  const texts = new Map<string, string>();
  const findings: string[] = [];
  for await (const finding of examine(config)) findings.push(...findingLines(finding));
  texts.set('doctor.txt', `${findings.join('\n')}\n`);
  texts.set(
    'versions.json',
    json({ ...RELEASE, ...process.versions, os: process.platform, arch: process.arch }),
  );
  texts.set('settings.txt', listSettings(process.env));
  const token = await metricsTokenOf(config);
  texts.set('readyz.json', await ask(config, '/readyz', {}));
  texts.set('metrics.txt', await ask(config, '/metrics', { authorization: `Bearer ${token}` }));
  if (log !== undefined) texts.set('service.log', await endOf(log));
  if (config.databaseUrl === undefined)
    texts.set('postgres.log', await endOf(join(config.dataDir, 'postgres.log')).catch(reasonOf));
  let secrets: string[] = [];
  const collect = async (pool?: Pool) => {
    secrets = await secretTexts(process.env, token, pool);
    if (pool === undefined) return;
    for (const [name, query] of Object.entries(QUERIES))
      texts.set(`${name}.json`, await pool.unsafe(query).then(json, reasonOf));
  };
  await withDatabaseIfAny(config, collect);
  const archive = await ArchiveWriter.create(file, new Date());
  try {
    for (const [name, text] of texts) await archive.add(name, [Buffer.from(hideSecrets(text, secrets))]);
    await archive.finish();
  } catch (thrown) {
    await archive.abandon();
    throw thrown;
  }
  say(`${file} contains ${[...texts.keys()].join(', ')}. Secrets of the settings are replaced.`);
  if (log === undefined) say('Add the log of the service with --log FILE.');
}

/** A bundle is wanted most when the database does not answer; doctor.txt then says why. */
async function withDatabaseIfAny(config: Config, work: (pool?: Pool) => Promise<void>): Promise<void> {
  if (!hasDatabase(config)) return work();
  let database: Database;
  try {
    database = await openAsItIs(config, 'tool', () => undefined);
  } catch {
    return work();
  }
  try {
    await work(database.pool);
  } finally {
    await database.close();
  }
}

/** The token of the settings, or the one that the service has written. */
async function metricsTokenOf({ metricsToken, dataDir }: Config): Promise<string> {
  return metricsToken ?? (await readFile(join(dataDir, 'metrics-token'), 'utf8').catch(() => ''));
}

/** Asks the service of this machine. */
async function ask({ host, port }: Config, path: string, headers: Record<string, string>): Promise<string> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  try {
    const response = await fetch(`http://${name.includes(':') ? `[${name}]` : name}:${port}${path}`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return await response.text();
  } catch (thrown) {
    return `The service does not answer at port ${port}: ${reasonOf(thrown)}\n`;
  }
}

/** Returns the whole lines at the end of a file. */
async function endOf(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const start = Math.max(0, size - LOG_BYTES);
  const bytes = Buffer.alloc(size - start);
  await file.read(bytes, 0, bytes.length, start);
  const text = bytes.toString();
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
