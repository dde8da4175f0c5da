import type { Db } from '../core/postgres/db.ts';

export interface BackupTable {
  name: string;
  columns: string[];
  bytes: number;
}

/** Tables that describe a server or a store rather than the data; they start empty where they are restored. */
const LEFT_OUT = ['photo_store', 'shared_index', 'index_lease'];

/** Lists the tables, without columns that the database produces itself: generated ones, and transaction ids. */
export async function listBackupTables(sql: Db): Promise<BackupTable[]> {
  const tables = await sql<{ name: string; columns: string[]; bytes: string }[]>`
    select c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         and a.atttypid <> 'xid8'::regtype) as columns,
      coalesce((select sum(pg_table_size(relid)) from pg_partition_tree(c.oid)), pg_table_size(c.oid))::bigint as bytes
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`;
  return tables
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .map(({ name, columns, bytes }) => ({ name, columns, bytes: Number(bytes) }));
}

export function rowsOf({ name, columns }: Pick<BackupTable, 'name' | 'columns'>): string {
  return `select ${columns.map(quoted).join(', ')} from ${quoted(name)}`;
}

export function targetOf({ name, columns }: Pick<BackupTable, 'name' | 'columns'>): string {
  return `${quoted(name)} (${columns.map(quoted).join(', ')})`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Fixes the settings that affect the text form of values and the order of rows. */
export async function fixOutputFormat(sql: Db): Promise<void> {
  await sql.unsafe(`
    set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
    set local extra_float_digits = 1; set local bytea_output = 'hex'; set local xmlbinary = 'base64';
    set local max_parallel_workers_per_gather = 0; set local synchronize_seqscans = off;
    set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
    set local row_security = off`);
}

/** Jobs in our own format, since the queue's tables belong to its library. Running ones count as not started. */
const JOB_COLUMNS =
  'identifier, queue_name, payload, priority, run_at, attempts, max_attempts, last_error, created_at, updated_at, key, revision, flags';

export const JOBS = {
  name: 'jobs',
  columns: JOB_COLUMNS.split(', '),
  query: `
    select t.identifier, q.queue_name, j.payload, j.priority, j.run_at,
      case when j.locked_at is null then j.attempts else greatest(j.attempts - 1, 0) end,
      j.max_attempts, j.last_error, j.created_at, j.updated_at, j.key, j.revision, j.flags
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id order by j.id`,
  stage: `
    create temporary table staged_job (number bigint generated always as identity, identifier text, queue_name text,
      payload json, priority smallint, run_at timestamptz, attempts smallint, max_attempts smallint, last_error text,
      created_at timestamptz, updated_at timestamptz, key text, revision int, flags jsonb) on commit drop`,
  target: `staged_job (${JOB_COLUMNS})`,
  load: `
    insert into graphile_worker._private_tasks (identifier) select distinct identifier from staged_job
      on conflict do nothing;
    insert into graphile_worker._private_job_queues (queue_name)
      select distinct queue_name from staged_job where queue_name is not null on conflict do nothing;
    insert into graphile_worker._private_jobs (task_id, job_queue_id, payload, priority, run_at, attempts, max_attempts,
      last_error, created_at, updated_at, key, revision, flags)
    select t.id, q.id, s.payload, s.priority, s.run_at, s.attempts, s.max_attempts, s.last_error, s.created_at,
      s.updated_at, s.key, s.revision, s.flags
    from staged_job s join graphile_worker._private_tasks t on t.identifier = s.identifier
    left join graphile_worker._private_job_queues q on q.queue_name = s.queue_name order by s.number`,
};
