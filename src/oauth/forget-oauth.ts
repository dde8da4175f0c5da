import type { Db } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';

/** Time after which a registered client without connections or uses is deleted. */
const CLIENT_IDLE_MS = 90 * DAY_MS;

/** Deletes expired requests, tokens and connections, and unused clients. */
export async function forgetOldOauth(db: Db, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  await db`delete from oauth_interaction where expires_at <= ${now}`;
  // For a day, a request with an old token gets the error that it has expired, not that it is unknown.
  await db`delete from oauth_token where expires_at <= ${dayAgo}`;
  // A connection is kept as long as it has a usable token.
  await db`
    delete from oauth_grant g
    where created_at <= ${dayAgo} and not exists (
      select from oauth_token t where t.grant_id = g.id and t.consumed_at is null and t.expires_at > ${now})`;
  // A host may register long before anybody connects, and keeps its client after the last person has disconnected.
  await db`
    delete from oauth_client c
    where last_used_at <= ${new Date(now.getTime() - CLIENT_IDLE_MS)} and not exists (select from oauth_grant g where g.client_id = c.id)`;
}
