import type { Job } from 'graphile-worker';
import type { Db } from '../core/postgres/db.ts';

/** Lock timeout for statements of jobs, short because other jobs need the slot. */
export const LOCK_WAIT_MS = 250;
/** Delay before a job that met a lock is retried. */
const AGAIN_MS = 1_000;
/** Lower priority than jobs that have not met a lock, however many have stepped aside. */
const AFTER_OTHERS = 1;

/**
 * Requeues a job that met a lock, so that others get its slot. That is not a failure of the job, so its attempts start
 * again from zero.
 */
export async function requeueLockedJob(db: Db, job: Job): Promise<void> {
  await db`
    select from graphile_worker.add_job(
      identifier => ${job.task_identifier}, payload => ${JSON.stringify(job.payload)}::text::json,
      run_at => now() + ${AGAIN_MS} * interval '1 millisecond', max_attempts => ${job.max_attempts}::int,
      job_key => ${job.key}, priority => ${AFTER_OTHERS}::int)`;
}
