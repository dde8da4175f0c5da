import { LEASE_MS } from '../delivery/attempt.ts';
import { defineDelivery, type Delivery, type LeasedDelivery } from '../delivery/define-delivery.ts';

interface LeasedCallback extends LeasedDelivery {
  event: string;
  data: unknown;
}

/** Maximum number of concurrent callbacks from one node to one URL; further ones are retried after BUSY_MS. */
const AT_ONCE_PER_RECEIVER = 8;
const BUSY_MS = 2_000;

/** Signed calls to an agent's URL about decisions. Only one attempt runs at a time. */
export const callbackDelivery: Delivery = defineDelivery<LeasedCallback>({
  name: 'callback',
  // Addresses that our egress rules block, and receivers that redirect or answer 410.
  final: ['redirect', 'gone', 'blocked_address'],
  content: ({ event, data }) => ({ type: event, data }),
  lease: ({ deps: { clock, deliveryPool }, inTransaction }, id) =>
    inTransaction(async (sql) => {
      const [row] = await sql<{ url: string }[]>`
        select url from callback_delivery where id = ${id} and state = 'pending' for update`;
      if (row === undefined) return undefined;
      if (deliveryPool.countTo(row.url) >= AT_ONCE_PER_RECEIVER) {
        await callbackDelivery.queue(sql, id, BUSY_MS);
        return undefined;
      }
      const now = clock.now();
      // An expired lease belonged to a process that died.
      const [callback] = await sql<LeasedCallback[]>`
        update callback_delivery set attempts = attempts + 1, leased_until = ${new Date(now.getTime() + LEASE_MS)}
        where id = ${id} and (leased_until is null or leased_until <= ${now})
        returning id, url, event, data, attempts, created_at as "createdAt"`;
      await callbackDelivery.queue(sql, id, LEASE_MS);
      return callback;
    }),
  release: ({ inTransaction }, { id }) =>
    inTransaction(async (sql) => {
      await sql`update callback_delivery set leased_until = null where id = ${id} and state = 'pending'`;
      await callbackDelivery.queue(sql, id);
    }),
  record: ({ inTransaction }, { id }, { now, state, waitMs, httpStatus, words }) =>
    inTransaction(async (sql) => {
      await sql`
        update callback_delivery set state = ${state}, leased_until = null, last_http_status = ${httpStatus},
          last_error = ${words}, finished_at = ${state === 'pending' ? null : now}
        where id = ${id} and state = 'pending'`;
      if (waitMs === undefined) await callbackDelivery.unqueue(sql, id);
      else await callbackDelivery.queue(sql, id, waitMs);
    }),
});
