import type { Db, Pool } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';

/** Retention of failed jobs and their last error, for the operator. */
const FAILED_KEPT_MS = 7 * DAY_MS;

export function gaveUp(db: Db) {
  return db`attempts >= max_attempts and locked_at is null and last_error is not null`;
}

/** Deletes failed jobs after their retention, and jobs that were replaced while they ran on a node that died. */
export async function forgetDeadJobs(pool: Pool, now: Date): Promise<void> {
  await pool`
    select from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where (${gaveUp(pool)} and updated_at < ${new Date(now.getTime() - FAILED_KEPT_MS)})
         or (attempts >= max_attempts and locked_at is null and last_error is null)))`;
}
