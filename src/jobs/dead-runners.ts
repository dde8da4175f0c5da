import type { Pool } from '../core/postgres/db.ts';

/** Much longer than the time between two signs of life, so that a slow process is not taken for a dead one. */
const DEAD_AFTER_SECONDS = 30;

/** A sign of life. The queue itself would keep a dead process's jobs for four hours. */
export async function noteAlive(pool: Pool, runnerIds: readonly string[]): Promise<void> {
  await pool`
    insert into job_runner (id) select unnest(${[...runnerIds].sort()}::text[])
    on conflict (id) do update set seen_at = now()`;
}

export async function noteGone(pool: Pool, runnerId: string): Promise<void> {
  await pool`delete from job_runner where id = ${runnerId}`;
}

/** Whether a service runs on this database, as far as its signs of life tell. */
export async function isServiceRunning(pool: Pool): Promise<boolean> {
  const [row] = await pool<{ running: boolean }[]>`
    select exists (select from job_runner
      where seen_at > now() - ${DEAD_AFTER_SECONDS} * interval '1 second') as running`;
  return row?.running === true;
}

/** Gives the jobs of processes that died back to the queue. Returns how many processes that were. */
export async function releaseDeadRunners(pool: Pool): Promise<number> {
  const dead = await pool<{ id: string }[]>`
    select distinct locked_by as id from graphile_worker.jobs j
    where locked_by is not null and not exists (
      select from job_runner r
      where r.id = j.locked_by and r.seen_at > now() - ${DEAD_AFTER_SECONDS} * interval '1 second')`;
  if (dead.length > 0)
    await pool`select graphile_worker.force_unlock_workers(${dead.map(({ id }) => id)}::text[])`;
  await pool`delete from job_runner where seen_at < now() - interval '1 day'`;
  return dead.length;
}
