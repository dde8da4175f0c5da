import type { Job } from 'graphile-worker';
import type { Db } from '../core/postgres/db.ts';

/** How long a statement of a job waits for what somebody else has locked: others want its place. */
export const LOCK_WAIT_MS = 250;
/** A job that found something locked is tried again after so long. */
const AGAIN_MS = 1_000;
/** Then it comes after those that found nothing locked yet, however many have stepped aside. */
const AFTER_OTHERS = 1;

/**
 * Queues a job anew that found something locked, so that others have its place. That is no failure of its own, so it has as
 * many attempts as at the beginning.
 */
export async function stepAside(db: Db, job: Job): Promise<void> {
  await db`
    select from graphile_worker.add_job(
      identifier => ${job.task_identifier}, payload => ${JSON.stringify(job.payload)}::text::json,
      run_at => now() + ${AGAIN_MS} * interval '1 millisecond', max_attempts => ${job.max_attempts}::int,
      job_key => ${job.key}, priority => ${AFTER_OTHERS}::int)`;
}
