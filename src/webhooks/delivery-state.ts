import { closedSet } from '../core/input/closed-set.ts';
import type { Db } from '../core/postgres/db.ts';
import type { DeliveryState } from '../delivery/delivery-state.ts';
import type { BookingEvent } from './booking-event.ts';

/** Reason why a delivery has no valid answer: the receiver, our own rules, or a removed or disabled endpoint. */
export const deliveryErrorSet = closedSet('DeliveryError', {
  timeout: 'The receiver did not answer in time.',
  tls: 'The certificate of the receiver is not valid.',
  dns: 'The host name of the receiver cannot be resolved.',
  blocked_address: 'The host name resolves to an address that we never call.',
  connection: 'The receiver could not be reached.',
  redirect: 'The receiver sent a redirect, which is not followed.',
  too_large: 'The answer was too large.',
  endpoint_removed: 'The webhook was removed or replaced in the meantime.',
  endpoint_disabled: 'The receiver answered 410 before.',
});
export type DeliveryError = (typeof deliveryErrorSet.values)[number];

/** One delivery as its partner sees it. */
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

/** Lists a partner's latest deliveries, newest first. */
export async function listDeliveries(
  db: Db,
  partnerId: string,
  limit: number,
): Promise<readonly DeliveryRow[]> {
  return db<DeliveryRow[]>`
    ${deliveryRows(db)} where partner_id = ${partnerId} order by number desc limit ${limit}`;
}

/** Lists a partner's deliveries about one booking, in the order of its moves. */
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
