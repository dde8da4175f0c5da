import type { Db } from '../core/postgres/db.ts';
import type { TaskName } from './tasks.ts';

export interface JobOptions {
  /** How long to wait. A span, because jobs run by the database's clock, which all nodes share. */
  delayMs?: number;
  /** A job of this name that has not begun is replaced by this one. */
  key?: string;
  /** How often a job whose handler throws is tried, with growing waits (25). */
  maxAttempts?: number;
}

/**
 * The tasks of one queue run one after the other, on all nodes together; the others side by side. A photo takes a second
 * and a few hundred megabytes: however many come, they hold one of a node's hands, and bookings find the others free.
 */
const QUEUES: Partial<Record<TaskName, string>> = { process_photo: 'photos', demo_photos: 'photos' };

/** Queues a job. Inside a transaction it exists only if that commits, and no node sees it earlier. */
export async function addJob(
  db: Db,
  task: TaskName,
  payload: object,
  options: JobOptions = {},
): Promise<void> {
  const { delayMs = 0, key = null, maxAttempts = null } = options;
  await db`
    select from graphile_worker.add_job(
      identifier => ${task}, queue_name => ${QUEUES[task] ?? null}, payload => ${JSON.stringify(payload)}::text::json,
      run_at => now() + ${delayMs} * interval '1 millisecond',
      max_attempts => ${maxAttempts}::int, job_key => ${key})`;
}
