import type { Db, Pool } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';

/** How long an operator finds what failed too often, with its last error. */
const FAILED_KEPT_MS = 7 * DAY_MS;

/** A job that failed too often to be tried again. */
export function gaveUp(db: Db) {
  return db`attempts >= max_attempts and locked_at is null and last_error is not null`;
}

/**
 * Deletes jobs that nobody will begin again: those that gave up, after a while, and those whose place another took while
 * a node had them in hand that then died.
 */
export async function forgetDeadJobs(pool: Pool, now: Date): Promise<void> {
  await pool`
    select from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where (${gaveUp(pool)} and updated_at < ${new Date(now.getTime() - FAILED_KEPT_MS)})
         or (attempts >= max_attempts and locked_at is null and last_error is null)))`;
}
