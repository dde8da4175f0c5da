import type { Db } from '../core/postgres/db.ts';
import type { Payloads, TaskName } from './task.ts';

/** Notification channel for new jobs; the payload is the task name. */
export const JOB_ADDED = 'job_added';

export interface JobOptions {
  /** Delay before the job is due. A duration, because jobs use the database's clock, which all nodes share. */
  delayMs?: number;
  key?: string;
  /** Number of attempts for a job whose handler throws, with growing delays (25). */
  maxAttempts?: number;
}

/** Queues a job. Inside a transaction it exists only if the transaction commits, and no node sees it earlier. */
export async function addJob<Name extends TaskName>(
  db: Db,
  task: Name,
  payload: Payloads[Name],
  options: JobOptions = {},
): Promise<void> {
  const { delayMs = 0, key = null, maxAttempts = null } = options;
  // Only the nodes' runners for this task's kind check the queue at once.
  const notify = delayMs > 0 ? db`` : db`pg_notify(${JOB_ADDED}, ${task})`;
  await db`
    select ${notify} from graphile_worker.add_job(
      identifier => ${task}, payload => ${JSON.stringify(payload)}::text::json,
      run_at => now() + ${delayMs} * interval '1 millisecond',
      max_attempts => ${maxAttempts}::int, job_key => ${key})`;
}
