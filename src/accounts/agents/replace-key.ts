import { violatedConstraint, type Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { issueKey } from '../keys/key-owner.ts';

/**
 * Revokes an agent's live key and issues the next. When the hash of the requesting key is passed, only that key can be
 * replaced: of two simultaneous requests, one gets the new key and the other gets an error.
 */
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
  if (requestingKey !== undefined && revoked.count === 0) throw replaced();
  try {
    return await issueKey(db, prefix, { agentId }, now);
  } catch (thrown) {
    if (violatedConstraint(thrown) === 'api_key_one_live_per_agent') throw replaced(thrown);
    throw thrown;
  }
}

function replaced(cause?: unknown): AppError {
  return new AppError('key_revoked', 'This key was replaced by another request a moment ago.', { cause });
}
