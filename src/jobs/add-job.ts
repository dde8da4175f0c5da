import type { Db } from '../core/postgres/db.ts';
import type { Payloads, TaskName } from './task.ts';

/** The channel on which the name of the task of a new job is told. */
export const JOB_ADDED = 'job_added';

export interface JobOptions {
  /** How long to wait. A span, because jobs run by the database's clock, which all nodes share. */
  delayMs?: number;
  /** A job of this name that has not begun is replaced by this one. */
  key?: string;
  /** How often a job whose handler throws is tried, with growing waits (25). */
  maxAttempts?: number;
}

/** Queues a job. Inside a transaction it exists only if that commits, and no node sees it earlier. */
export async function addJob<Name extends TaskName>(
  db: Db,
  task: Name,
  payload: Payloads[Name],
  options: JobOptions = {},
): Promise<void> {
  const { delayMs = 0, key = null, maxAttempts = null } = options;
  // Whoever does such jobs has a look at once; the others need not.
  const told = delayMs > 0 ? db`` : db`pg_notify(${JOB_ADDED}, ${task})`;
  await db`
    select ${told} from graphile_worker.add_job(
      identifier => ${task}, payload => ${JSON.stringify(payload)}::text::json,
      run_at => now() + ${delayMs} * interval '1 millisecond',
      max_attempts => ${maxAttempts}::int, job_key => ${key})`;
}
