import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { LEASE_MS, type AttemptResult } from '../delivery/attempt.ts';
import {
  defineDelivery,
  deliveryBody,
  type Delivery,
  type LeasedDelivery,
  type PlannedResult,
} from '../delivery/define-delivery.ts';
import type { Job } from '../jobs/task.ts';
import type { DeliveryError, DeliveryRecord } from './delivery-state.ts';
import { disableEndpoint, lockEndpoint, signingSecrets, type WebhookEndpoint } from './endpoint.ts';

/** Maximum number of concurrent deliveries to one endpoint, so that an unresponsive receiver occupies few sockets. */
const AT_ONCE_PER_ENDPOINT = 8;
/** Failed attempts during which a delivery blocks later ones of its booking; then they may arrive out of order. */
const HOLDS_BACK_ATTEMPTS = 3;

interface Turn extends LeasedDelivery {
  endpoint: WebhookEndpoint;
  event: string;
  sequence: number;
  data: unknown;
}

/** Booking events for a partner's webhook, in the order of each booking's moves. */
export const webhookDelivery: Delivery = defineDelivery<Turn>({
  name: 'webhook',
  final: ['gone'],
  mayHold: true,
  content: contentOf,
  secrets: (deps, { endpoint }, now) => signingSecrets(deps, endpoint, now),
  lease: takeTurn,
  release: releaseTurn,
  record: recordResult,
});

function contentOf({ event, sequence, data }: Pick<Turn, 'event' | 'sequence' | 'data'>) {
  return { type: event === 'test' ? 'webhook.test' : `booking.${event}`, event, sequence, data };
}

/** Returns the body that a partner's receiver gets. */
export function webhookBody(
  deps: Pick<Deps, 'destinations'>,
  delivery: Pick<DeliveryRecord, 'delivery_id' | 'created_at' | 'event' | 'sequence' | 'data'>,
): object {
  const { delivery_id: id, created_at: createdAt } = delivery;
  return deliveryBody(deps, { id, createdAt }, contentOf(delivery));
}

/** Sends a delivery that has ended once more. False when it is still pending, or its content was erased. */
export async function tryAgain(
  db: Db,
  { id, partnerId, now }: { id: string; partnerId: string; now: Date },
): Promise<boolean> {
  const again = await db`
    update webhook_delivery set state = 'pending', error = null, finished_at = null, next_attempt_at = ${now}
    where id = ${id} and partner_id = ${partnerId} and state <> 'pending' and data is not null`;
  if (again.count === 1) await webhookDelivery.queue(db, id);
  return again.count === 1;
}

/**
 * Starts an attempt if it is this delivery's turn; the one it waits for queues the next. The endpoint's row lock
 * serializes turns, and its jobs yield while another session holds it.
 */
function takeTurn(
  { deps: { clock, deliveryPool: deliveries }, inTransaction }: Job,
  id: string,
): Promise<Turn | undefined> {
  return inTransaction(async (sql) => {
    const [row] = await sql<{ partner_id: string }[]>`
      select partner_id from webhook_delivery where id = ${id} and state = 'pending'`;
    if (row === undefined) return undefined;
    const endpoint = await deliveries.locked.lock(row.partner_id, () => lockEndpoint(sql, row.partner_id));
    const now = clock.now();
    if (endpoint === undefined || endpoint.disabled_reason !== null) {
      await finish(sql, id, endpoint === undefined ? 'endpoint_removed' : 'endpoint_disabled', now);
      return undefined;
    }
    const turn = await beginAttempt(sql, id, endpoint, now);
    if (turn === undefined) await wait(sql, id, now);
    else await webhookDelivery.queue(sql, id, LEASE_MS);
    return turn;
  });
}

async function finish(db: Db, id: string, error: DeliveryError, now: Date): Promise<void> {
  await db`
    update webhook_delivery set state = 'given_up', error = ${error}, next_attempt_at = null, leased_until = null,
      held = false, finished_at = ${now}
    where id = ${id} and state = 'pending'`;
}

async function beginAttempt(
  db: Db,
  id: string,
  endpoint: WebhookEndpoint,
  now: Date,
): Promise<Turn | undefined> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const [row] = await db<Omit<Turn, 'endpoint' | 'url'>[]>`
    update webhook_delivery d set attempts = attempts + 1, held = false, leased_until = ${leasedUntil},
      first_attempt_at = coalesce(first_attempt_at, ${now}), last_attempt_at = ${now}
    where id = ${id} and ${isNext(db, now)} and ${freeSlots(db, endpoint.partner_id, now)} > 0
    returning id, event, sequence, data, attempts, created_at as "createdAt"`;
  return row && { ...row, url: endpoint.url, endpoint };
}

/** SQL condition: delivery `d` is pending and not leased, and no other delivery of its booking must go first. */
function isNext(db: Db, now: Date) {
  return db`d.state = 'pending' and (d.leased_until is null or d.leased_until <= ${now}) and not exists (
    select from webhook_delivery e
    where e.booking_id = d.booking_id and e.partner_id = d.partner_id and e.state = 'pending' and e.id <> d.id
      and (e.leased_until > ${now} or (e.sequence < d.sequence and e.attempts < ${HOLDS_BACK_ATTEMPTS})))`;
}

/** SQL expression: the number of further deliveries that the endpoint may get now. */
function freeSlots(db: Db, partnerId: string, now: Date) {
  return db`(select greatest(0, ${AT_ONCE_PER_ENDPOINT} - count(*)) from webhook_delivery
    where partner_id = ${partnerId} and leased_until > ${now})`;
}

/** Holds the delivery until its turn. If it is leased, a job follows the lease, because its process may be dead. */
async function wait(db: Db, id: string, now: Date): Promise<void> {
  const [leased] = await db<{ leased_until: Date }[]>`
    select leased_until from webhook_delivery where id = ${id} and leased_until > ${now}`;
  if (leased === undefined)
    await db`
      update webhook_delivery set held = true, next_attempt_at = least(next_attempt_at, ${now})
      where id = ${id} and state = 'pending'`;
  else await webhookDelivery.queue(db, id, leased.leased_until.getTime() - now.getTime());
}

async function queueNext(db: Db, partnerId: string, now: Date): Promise<void> {
  const rows = await db<{ id: string }[]>`
    update webhook_delivery set held = false where id in (
      select d.id from webhook_delivery d where d.partner_id = ${partnerId} and d.held and ${isNext(db, now)}
      order by d.number limit ${freeSlots(db, partnerId, now)})
    returning id`;
  for (const { id } of rows) await webhookDelivery.queue(db, id);
}

/** Stores the result of an attempt, and queues the deliveries that waited for it. */
function recordResult({ inTransaction }: Job, turn: Turn, result: PlannedResult): Promise<void> {
  return inTransaction(async (sql) => {
    const { id, attempts } = turn;
    const { partner_id: partnerId } = turn.endpoint;
    const { now, failure, httpStatus, state, waitMs } = result;
    await lockEndpoint(sql, partnerId);
    // After its lease a process may still report a success, but not a failure: another attempt may be running.
    const [recorded] = await sql`
      update webhook_delivery set state = ${state}, leased_until = null, last_http_status = ${httpStatus},
        error = ${errorOf(result)}, finished_at = ${state === 'pending' ? null : now},
        next_attempt_at = ${waitMs === undefined ? null : new Date(now.getTime() + waitMs)}
      where id = ${id} and state = 'pending' and (attempts = ${attempts} or ${failure === null}) returning 1`;
    if (recorded === undefined) return;
    if (waitMs === undefined) await webhookDelivery.unqueue(sql, id);
    else await webhookDelivery.queue(sql, id, waitMs);
    if (failure === 'gone') await disableEndpoint(sql, partnerId, now);
    await queueNext(sql, partnerId, now);
  });
}

/** Releases the lease when the service stops during an attempt, so that any node can repeat it. */
async function releaseTurn({ inTransaction }: Job, { id, attempts }: Turn): Promise<void> {
  await inTransaction(async (sql) => {
    const [released] = await sql`
      update webhook_delivery set leased_until = null, attempts = attempts - 1
      where id = ${id} and state = 'pending' and attempts = ${attempts} returning 1`;
    if (released !== undefined) await webhookDelivery.queue(sql, id);
  });
}

/** Returns the error that a partner sees beside the HTTP status; null when there was an answer. */
function errorOf({ failure }: AttemptResult): DeliveryError | null {
  switch (failure) {
    case null:
    case 'status':
    case 'gone':
      return null;
    case 'refused':
      return 'connection';
    case 'redirect':
    case 'timeout':
    case 'tls':
    case 'dns':
    case 'blocked_address':
    case 'too_large':
      return failure;
  }
}
