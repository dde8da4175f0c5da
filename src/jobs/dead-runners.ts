import type { Db, Pool } from '../core/postgres/db.ts';
import type { Kind } from './kinds.ts';

/** Three heartbeat intervals, so that a slow process does not count as dead. */
const DEAD_AFTER_SECONDS = 30;

export interface LiveRunner {
  id: string;
  kind: Kind;
  stalledSince: Date | undefined;
}

/** Writes a heartbeat. graphile-worker itself would keep the jobs of a dead process locked for four hours. */
export async function writeHeartbeat(
  pool: Pool,
  node: string,
  runners: readonly LiveRunner[],
): Promise<void> {
  const sorted = runners.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await pool`
    insert into job_runner (id, node, kind, stalled_since)
    select id, ${node}, kind, stalled_since from unnest(
      ${sorted.map(({ id }) => id)}::text[], ${sorted.map(({ kind }) => kind)}::text[],
      ${sorted.map(({ stalledSince }) => stalledSince ?? null)}::timestamptz[]) as r (id, kind, stalled_since)
    on conflict (id) do update set seen_at = now(), stalled_since = excluded.stalled_since`;
}

export async function noteGone(pool: Pool, runnerIds: readonly string[]): Promise<void> {
  await pool`select graphile_worker.force_unlock_workers(${[...runnerIds]}::text[])`;
  await pool`delete from job_runner where id = any(${[...runnerIds]}::text[])`;
}

/** Counts the nodes that run on this database. */
export async function countNodes(pool: Pool): Promise<number> {
  const [row] = await pool<{ nodes: number }[]>`
    select count(distinct node)::int as nodes from job_runner
    where seen_at > now() - ${DEAD_AFTER_SECONDS} * interval '1 second'`;
  return row?.nodes ?? 0;
}

/** True when a service runs on this database, according to its heartbeats. */
export async function isServiceRunning(pool: Pool): Promise<boolean> {
  const [row] = await pool<{ running: boolean }[]>`
    select exists (select from job_runner
      where seen_at > now() - ${DEAD_AFTER_SECONDS} * interval '1 second') as running`;
  return row?.running === true;
}

/** Returns the jobs of dead processes to the queue. A pool may take its first job before its first heartbeat. */
export async function releaseDeadRunners(pool: Pool): Promise<number> {
  const dead = await pool<{ id: string }[]>`
    select distinct locked_by as id from graphile_worker.jobs j
    left join job_runner r on r.id = j.locked_by
    where locked_by is not null
      and coalesce(r.seen_at, locked_at) < now() - ${DEAD_AFTER_SECONDS} * interval '1 second'`;
  if (dead.length > 0)
    await pool`select graphile_worker.force_unlock_workers(${dead.map(({ id }) => id)}::text[])`;
  await pool`delete from job_runner where seen_at < now() - interval '1 day'`;
  return dead.length;
}

export interface StalledRunner {
  node: string;
  kind: Kind;
  stalled_since: Date;
}

export function readStalledRunners(db: Db): Promise<StalledRunner[]> {
  return db<StalledRunner[]>`
    select node, kind, min(stalled_since) as stalled_since from job_runner
    where stalled_since is not null and seen_at > now() - ${DEAD_AFTER_SECONDS} * interval '1 second'
    group by node, kind order by node, kind`;
}
