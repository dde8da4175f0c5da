import type { Db } from '../core/postgres/db.ts';
import { addJob } from '../jobs/add-job.ts';

declare module '../jobs/task.ts' {
  interface Payloads {
    deliver_callback: { delivery_id: string };
  }
}

/** Queues an attempt to deliver. There is at most one waiting job for one callback, and the latest word on it counts. */
export function queueAttempt(db: Db, deliveryId: string, delayMs = 0): Promise<void> {
  const key = keyOf(deliveryId);
  return addJob(db, 'deliver_callback', { delivery_id: deliveryId }, { key, delayMs });
}

/** Takes back the job that would have looked after a callback whose process dies. */
export async function dropAttempt(db: Db, deliveryId: string): Promise<void> {
  await db`select from graphile_worker.remove_job(${keyOf(deliveryId)})`;
}

function keyOf(deliveryId: string): string {
  return `callback/${deliveryId}`;
}
