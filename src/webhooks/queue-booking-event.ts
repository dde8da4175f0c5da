import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import {
  MESSAGE_EVENT,
  type BookingEvent,
  type BookingEventBody,
  type MessageEventBody,
} from './booking-event.ts';
import { webhookDelivery } from './deliver-webhook.ts';

interface NewBookingEvent {
  partnerId: string;
  bookingId: string;
  sequence: number;
  event: BookingEvent | typeof MESSAGE_EVENT;
  body: BookingEventBody | MessageEventBody;
}

/** Queues the delivery of coded messages, like a move. */
export function queueMessageEvent(
  db: Db,
  ctx: { newId: NewId; now: Date },
  event: Omit<NewBookingEvent, 'event' | 'body'> & { body: MessageEventBody },
): Promise<void> {
  return queueBookingEvent(db, ctx, { ...event, event: MESSAGE_EVENT });
}

/** Queues the delivery of a move in its transaction. Does nothing without an enabled webhook. */
export async function queueBookingEvent(
  db: Db,
  ctx: { newId: NewId; now: Date },
  { partnerId, bookingId, sequence, event, body }: NewBookingEvent,
): Promise<void> {
  const id = ctx.newId('msg');
  // Inserted as text: jsonb or a parsed value would not preserve the order of the members.
  const [queued] = await db`
    insert into webhook_delivery (id, partner_id, booking_id, sequence, event, data, created_at, next_attempt_at)
    select ${id}, partner_id, ${bookingId}, ${sequence}, ${event}, ${JSON.stringify(body)}::text::json, ${ctx.now}, ${ctx.now}
    from webhook_endpoint where partner_id = ${partnerId} and disabled_reason is null
    returning 1`;
  if (queued !== undefined) await webhookDelivery.queue(db, id);
}

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
