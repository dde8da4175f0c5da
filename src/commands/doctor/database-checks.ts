import type { Config } from '../../config.ts';
import { databaseHost } from '../../core/installation.ts';
import {
  poolSizes,
  poolSizesOfMain,
  poolSizesOfServing,
  type PoolSizes,
} from '../../core/postgres/connection-budget.ts';
import { compareMigrations } from '../../core/postgres/migrate.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { countNodes } from '../../jobs/dead-runners.ts';
import { gaveUp } from '../../jobs/forget-jobs.ts';
import type { Check } from './finding.ts';

interface DatabaseParts {
  config: Config;
  pool: Pool;
}

type DatabaseCheck = Check<DatabaseParts>;

/** Connections that a command opens besides the nodes. */
const COMMAND_CONNECTIONS = 10;
const CLOCK_WARNING_MS = 500;
const CLOCK_FAULT_MS = 5_000;
const LATE_SECONDS = 120;

const checkServer: DatabaseCheck = async ({ config: { databaseUrl, dataDir }, pool }) => {
  const name = 'Database';
  const [server] = await pool<
    { version: string; read_only: boolean; standbys: number; synchronous: boolean }[]
  >`
    select current_setting('server_version') as version, pg_is_in_recovery() as read_only,
      (select count(*)::int from pg_stat_replication where state = 'streaming') as standbys,
      current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') <> 'off'
        and current_setting('synchronous_commit') <> 'local' as synchronous`;
  const at = databaseUrl === undefined ? dataDir : databaseHost(databaseUrl);
  const text = `PostgreSQL ${server?.version ?? ''} at ${at} answers`;
  if (server?.read_only === true)
    return {
      ...{ name, state: 'fault', text: `${text}, but is a standby and accepts no changes.` },
      fix: 'Name all servers in DATABASE_URL, so that nodes find the one that accepts writes, or promote this one.',
    };
  const standbys = server?.standbys ?? 0;
  if (standbys > 0 && server?.synchronous !== true)
    return {
      ...{ name, state: 'warning', text: `${text}, with ${standbys} standby, none of them synchronous.` },
      fix: 'If this server is lost, so are the last acknowledged writes. Set synchronous_standby_names to keep every one.',
    };
  return { name, state: 'ok', text: standbys > 0 ? `${text}, with a synchronous standby.` : `${text}.` };
};

const checkTables: DatabaseCheck = async ({ pool }) => {
  const name = 'Tables';
  const { missing, unknown } = await compareMigrations(pool);
  if (unknown.length > 0)
    return {
      ...{ name, state: 'warning', text: `A newer program has changed the tables (${unknown.join(', ')}).` },
      fix: 'Upgrade this program to the version of the other nodes.',
    };
  if (missing.length > 0)
    return {
      ...{
        name,
        state: 'warning',
        text: `${formatCount(missing.length, 'migration is', 'migrations are')} missing.`,
      },
      fix: 'The next start of the service applies them, and so does npx waypost migrate.',
    };
  return { name, state: 'ok', text: 'All migrations are applied.' };
};

const checkPermissions: DatabaseCheck = async ({ pool }) => {
  const name = 'Permissions';
  const [row] = await pool<{ role: string; may_create: boolean; foreign: string[] }[]>`
    select current_user as role, has_schema_privilege(current_schema(), 'create') as may_create,
      array(select c.relname::text from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S')
          and not pg_has_role(c.relowner, 'usage') order by 1 limit 3) as foreign`;
  const { role = '', may_create = false, foreign = [] } = row ?? {};
  if (foreign.length > 0)
    return {
      ...{ name, state: 'fault', text: `The user ${role} does not own ${foreign.join(', ')}.` },
      fix: `reassign owned by the_owner to ${role}, run in this database by an administrator.`,
    };
  if (!may_create)
    return {
      ...{ name, state: 'fault', text: `The user ${role} may create no tables, so migrations fail.` },
      fix: `grant create on schema public to ${role}`,
    };
  return { name, state: 'ok', text: `The user ${role} owns the tables and may add new ones.` };
};

const checkConnections: DatabaseCheck = async ({ config, pool }) => {
  const name = 'Connections';
  const [row] = await pool<{ max: number; used: number }[]>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`;
  const { max = 0, used = 0 } = row ?? {};
  const nodes = Math.max(1, await countNodes(pool));
  const ofNode = connectionsOf(config);
  const needed = nodes * ofNode + COMMAND_CONNECTIONS;
  const text = `${nodes === 1 ? 'One node' : `${nodes} nodes`} of up to ${ofNode} connections and a command need ${needed}; the server allows ${max}, and ${used} are open.`;
  if (needed > max)
    return {
      ...{ name, state: 'warning', text },
      fix: 'Lower DATABASE_CONNECTIONS, raise max_connections, or put PgBouncer in between (DATABASE_DIRECT_URL).',
    };
  return { name, state: 'ok', text };
};

/** Largest number of connections of a node like this one, with its serving processes. */
function connectionsOf({ connections, workers }: Config): number {
  if (workers === 1) return connections;
  const sum = ({ write, read, jobs }: PoolSizes) => write + read + jobs;
  const ofAll = sum(poolSizes(connections));
  const ofMain = connections - ofAll + sum(poolSizesOfMain(connections));
  return ofMain + workers * (1 + sum(poolSizesOfServing(connections, workers)));
}

const checkClock: DatabaseCheck = async ({ pool }) => {
  const name = 'Clock';
  await pool`select 1`;
  const before = Date.now();
  const [row] = await pool<
    { ms: number }[]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
  const offMs = Math.round(Math.abs((row?.ms ?? 0) - (before + Date.now()) / 2));
  const text = `The clocks of this machine and of the database differ by ${offMs} ms.`;
  if (offMs < CLOCK_WARNING_MS) return { name, state: 'ok', text };
  const fix = 'Synchronise both with NTP: sessions, rate limits and signatures depend on the time.';
  return { name, state: offMs < CLOCK_FAULT_MS ? 'warning' : 'fault', text, fix };
};

const checkJobs: DatabaseCheck = async ({ pool }) => {
  const name = 'Jobs';
  const [row] = await pool<{ dead: number; oldest: number; stalled: string[] }[]>`
    select (select count(*)::int from graphile_worker.jobs where ${gaveUp(pool)}) as dead,
      (select coalesce(extract(epoch from now() - min(run_at)), 0)::int from graphile_worker.jobs
       where run_at <= now() and locked_at is null and attempts < max_attempts) as oldest,
      array(select distinct kind from job_runner where stalled_since is not null and kind is not null) as stalled`;
  const { dead = 0, oldest = 0, stalled = [] } = row ?? {};
  if ((await countNodes(pool)) === 0)
    return {
      ...{ name, state: 'warning', text: 'No node runs on this database, so no jobs are done.' },
      fix: 'Start the service.',
    };
  if (stalled.length > 0 || oldest > LATE_SECONDS)
    return {
      ...{
        name,
        state: 'fault',
        text: `Jobs are late: the oldest has been due for ${oldest} s. Stalled kinds: ${stalled.join(', ') || 'none'}.`,
      },
      fix: 'See WaypostJobsLate and WaypostJobsStalled in docs/operations.md.',
    };
  if (dead > 0)
    return {
      ...{
        name,
        state: 'warning',
        text:
          dead === 1
            ? 'One job failed too often and is not tried again.'
            : `${dead} jobs failed too often and are not tried again.`,
      },
      fix: 'The log has "job failed" with the cause; graphile_worker.jobs has last_error.',
    };
  return { name, state: 'ok', text: 'Jobs are started in time.' };
};

export const DATABASE_CHECKS: readonly DatabaseCheck[] = [
  checkServer,
  checkTables,
  checkPermissions,
  checkConnections,
  checkClock,
  checkJobs,
];
