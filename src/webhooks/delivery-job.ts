import type { Db } from '../core/postgres/db.ts';
import { addJob } from '../jobs/add-job.ts';

declare module '../jobs/task.ts' {
  interface Payloads {
    deliver_webhook: { delivery_id: string };
  }
}

/** Queues a delivery attempt. Each delivery has at most one waiting job; queueing again replaces it. */
export function queueDelivery(db: Db, deliveryId: string, delayMs = 0): Promise<void> {
  const key = keyOf(deliveryId);
  return addJob(db, 'deliver_webhook', { delivery_id: deliveryId }, { key, delayMs });
}

/** Removes the job that would retry the delivery if its process died. */
export async function dropDeliveryJob(db: Db, deliveryId: string): Promise<void> {
  await db`select from graphile_worker.remove_job(${keyOf(deliveryId)})`;
}

function keyOf(deliveryId: string): string {
  return `webhook/${deliveryId}`;
}
