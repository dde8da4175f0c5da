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

/** Deliveries to a partner since a moment, by outcome, and the next attempt of those that are being repeated. */
export interface DeliveryHealth {
  delivered: number;
  failing: number;
  given_up: number;
  next_attempt_at: Date | null;
}

export async function readDeliveryHealth(db: Db, partnerId: string, since: Date): Promise<DeliveryHealth> {
  const [health] = await db<DeliveryHealth[]>`
    select count(*) filter (where state = 'delivered')::int as delivered,
           count(*) filter (where state = 'given_up')::int as given_up,
           count(*) filter (where state = 'pending' and attempts > 0)::int as failing,
           min(next_attempt_at) filter (where state = 'pending' and attempts > 0) as next_attempt_at
    from webhook_delivery where partner_id = ${partnerId} and (finished_at is null or finished_at >= ${since})`;
  return health ?? { delivered: 0, failing: 0, given_up: 0, next_attempt_at: null };
}

/** A delivery with its content; the content is null once it was erased. */
export interface DeliveryRecord extends DeliveryRow {
  created_at: Date;
  data: unknown;
}

export async function findDelivery(
  db: Db,
  { id, partnerId }: { id: string; partnerId: string },
): Promise<DeliveryRecord | undefined> {
  const [delivery] = await db<DeliveryRecord[]>`
    select id as delivery_id, booking_id, event, sequence, attempts, last_http_status as http_status, state,
      first_attempt_at, last_attempt_at, next_attempt_at, error, created_at, data
    from webhook_delivery where id = ${id} and partner_id = ${partnerId}`;
  return delivery;
}

/** A delivery with its partner and place, as staff see it. */
export interface ListedDelivery extends DeliveryRow {
  number: string;
  partner_id: string;
  partner_name: string;
  place_name: string | null;
  created_at: Date;
}

/** Lists the deliveries to all partners, the newest first. `failing`: not accepted yet, after at least one attempt. */
export async function listAllDeliveries(
  db: Db,
  filter: { state?: DeliveryState | 'failing' | undefined; before?: string | undefined; limit: number },
): Promise<readonly ListedDelivery[]> {
  const { state, before, limit } = filter;
  return db<ListedDelivery[]>`
    select d.id as delivery_id, d.number::text, d.partner_id, n.name as partner_name, p.name as place_name, d.booking_id,
      d.event, d.sequence, d.attempts, d.last_http_status as http_status, d.state, d.created_at, d.first_attempt_at,
      d.last_attempt_at, d.next_attempt_at, d.error
    from webhook_delivery d join partner n on n.id = d.partner_id
    left join booking b on b.id = d.booking_id left join place p on p.id = b.place_id
    where ${
      state === 'failing'
        ? db`d.state = 'pending' and d.attempts > 0`
        : state === undefined
          ? db`true`
          : db`d.state = ${state}`
    } ${before === undefined ? db`` : db`and d.number < ${before}`}
    order by d.number desc limit ${limit}`;
}

function deliveryRows(db: Db) {
  return db`
    select id as delivery_id, booking_id, event, sequence, attempts, last_http_status as http_status, state,
      first_attempt_at, last_attempt_at, next_attempt_at, error
    from webhook_delivery`;
}
