import type { Db } from '../core/postgres/db.ts';
import type { DeliveryState } from '../delivery/delivery-state.ts';

/** The latest callback about a record, as its agent sees it. */
export interface CallbackState {
  url: string;
  state: DeliveryState;
  attempts: number;
  last_http_status: number | null;
}

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
