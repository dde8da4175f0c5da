import { closedSet } from '../core/input/closed-set.ts';
import type { Db } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';

/** Delivery state of a callback or a webhook. */
export const deliveryStateSet = closedSet('DeliveryState', {
  pending: 'It is being delivered, or tried again.',
  delivered: 'The receiver took it.',
  given_up: 'It was never taken and is not tried again.',
});

/** delivered and given_up are final. Only deliver-callback.ts changes the state. */
export type DeliveryState = 'pending' | 'delivered' | 'given_up';

/** The latest callback about a record, as its agent sees it. */
export interface CallbackState {
  url: string;
  state: DeliveryState;
  attempts: number;
  last_http_status: number | null;
}

/** Retention of a callback's content after its delivery has ended. */
const DATA_KEPT_MS = 30 * DAY_MS;

/** Returns the state of the latest callback about each record; records without a callback are not in the map. */
export async function callbackStateOf(
  db: Db,
  subjectIds: readonly string[],
): Promise<Map<string, CallbackState>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db<(CallbackState & { subject_id: string })[]>`
    select distinct on (subject_id) subject_id, url, state, attempts, last_http_status
    from callback_delivery where subject_id = any(${[...subjectIds]})
    order by subject_id, sequence desc`;
  return new Map(rows.map(({ subject_id, ...state }) => [subject_id, state]));
}

export async function forgetOldCallbacks(db: Db, now: Date): Promise<void> {
  await db`
    update callback_delivery set data = null
    where data is not null and finished_at < ${new Date(now.getTime() - DATA_KEPT_MS)}`;
}
