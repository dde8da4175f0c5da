import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import type { BookingEvent, BookingEventBody } from './booking-event.ts';
import { webhookDelivery } from './deliver-webhook.ts';

export interface NewBookingEvent {
  partnerId: string;
  bookingId: string;
  /** The number of the move in its booking's timeline; receivers sort by it. */
  sequence: number;
  event: BookingEvent;
  /** The result of bookingEventBody(). */
  body: BookingEventBody;
}

/**
 * Queues the delivery of a move to the partner's webhook, within the transaction of the move. Does nothing without a
 * webhook, or with one that its receiver disabled.
 */
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
