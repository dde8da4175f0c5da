import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import { webhookDelivery } from './deliver-webhook.ts';

/** Queues a test event without a booking, with which a partner checks its receiver. */
export async function queueTestEvent(
  db: Db,
  ctx: { newId: NewId; now: Date },
  partnerId: string,
): Promise<string> {
  const id = ctx.newId('msg');
  await db`
    insert into webhook_delivery (id, partner_id, sequence, event, data, created_at, next_attempt_at)
    values (${id}, ${partnerId}, 0, 'test', '{}', ${ctx.now}, ${ctx.now})`;
  await webhookDelivery.queue(db, id);
  return id;
}
