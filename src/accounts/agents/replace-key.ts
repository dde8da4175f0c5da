import type { Db } from '../../core/postgres/db.ts';
import { issueReplacement, keyReplaced } from '../keys/key-owner.ts';

/** Replaces an agent's live key. With `requestingKey`, only that one: of two simultaneous requests one fails. */
export async function replaceKey(
  db: Db,
  prefix: string,
  agentId: string,
  now: Date,
  requestingKey?: Buffer,
): Promise<string> {
  // Serializes with a mailbox proof at the same moment, which would revoke the old key and miss the new one.
  await db`select from agent where id = ${agentId} for update`;
  const revoked = await db`
    update api_key set revoked_at = ${now}
    where agent_id = ${agentId} and revoked_at is null and (${requestingKey === undefined} or hash = ${requestingKey ?? null})`;
  if (requestingKey !== undefined && revoked.count === 0) throw keyReplaced();
  return issueReplacement(db, prefix, { agentId }, now);
}
