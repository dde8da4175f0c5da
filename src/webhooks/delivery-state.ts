import { closedSet } from '../core/input/closed-set.ts';
import type { Db } from '../core/postgres/db.ts';
import type { DeliveryState } from '../delivery/delivery-state.ts';
import type { BookingEvent } from './booking-event.ts';
import sets from './booking-sets.json' with { type: 'json' };

/** Reason why a delivery has no valid answer: the receiver, our own rules, or a removed or disabled endpoint. */
export const deliveryErrorSet = closedSet('DeliveryError', sets.DeliveryError);
export type DeliveryError = (typeof deliveryErrorSet.values)[number];

export interface DeliveryRow {
  delivery_id: string;
  booking_id: string | null;
  event: BookingEvent | 'test';
  sequence: number;
  attempts: number;
  http_status: number | null;
  state: DeliveryState;
  first_attempt_at: Date | null;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  error: DeliveryError | null;
}

export async function listDeliveries(
  db: Db,
  partnerId: string,
  limit: number,
): Promise<readonly DeliveryRow[]> {
  return db<DeliveryRow[]>`
    ${deliveryRows(db)} where partner_id = ${partnerId} order by number desc limit ${limit}`;
}

export async function listDeliveriesOf(
  db: Db,
  { partnerId, bookingId }: { partnerId: string; bookingId: string },
): Promise<readonly DeliveryRow[]> {
  return db<DeliveryRow[]>`
    ${deliveryRows(db)} where partner_id = ${partnerId} and booking_id = ${bookingId} order by sequence`;
}

function deliveryRows(db: Db) {
  return db`
    select id as delivery_id, booking_id, event, sequence, attempts, last_http_status as http_status, state,
      first_attempt_at, last_attempt_at, next_attempt_at, error
    from webhook_delivery`;
}
