import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import type { BookingEvent, BookingEventBody } from './booking-event.ts';
import { queueDelivery } from './delivery-job.ts';

export interface NewBookingEvent {
  partnerId: string;
  bookingId: string;
  /** The number of the move in the timeline of its booking; receivers put moves in order by it. */
  sequence: number;
  event: BookingEvent;
  /** What bookingEventBody made of the move. */
  body: BookingEventBody;
}

/**
 * Queues the delivery of a move to the partner's webhook; it exists only if the transaction of the move commits. Without
 * a webhook, or with one whose receiver said that it wants no more, there is nobody to tell.
 */
export async function queueBookingEvent(
  db: Db,
  ctx: { newId: NewId; now: Date },
  { partnerId, bookingId, sequence, event, body }: NewBookingEvent,
): Promise<void> {
  const id = ctx.newId('msg');
  // The text goes in as it is: a jsonb or a parsed value would not keep the order of its members.
  const [queued] = await db`
    insert into webhook_delivery (id, partner_id, booking_id, sequence, event, data, created_at, next_attempt_at)
    select ${id}, partner_id, ${bookingId}, ${sequence}, ${event}, ${JSON.stringify(body)}::text::json, ${ctx.now}, ${ctx.now}
    from webhook_endpoint where partner_id = ${partnerId} and disabled_reason is null
    returning 1`;
  if (queued !== undefined) await queueDelivery(db, id);
}
