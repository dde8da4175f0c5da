import type { Db } from '../core/postgres/db.ts';
import { addJob } from '../jobs/add-job.ts';

declare module '../jobs/task.ts' {
  interface Payloads {
    deliver_callback: { delivery_id: string };
  }
}

/** Queues a delivery attempt. Each callback has at most one waiting job; queueing again replaces it. */
export function queueAttempt(db: Db, deliveryId: string, delayMs = 0): Promise<void> {
  const key = keyOf(deliveryId);
  return addJob(db, 'deliver_callback', { delivery_id: deliveryId }, { key, delayMs });
}

/** Removes the job that would retry the callback if its process died. */
export async function dropAttempt(db: Db, deliveryId: string): Promise<void> {
  await db`select from graphile_worker.remove_job(${keyOf(deliveryId)})`;
}

function keyOf(deliveryId: string): string {
  return `callback/${deliveryId}`;
}
