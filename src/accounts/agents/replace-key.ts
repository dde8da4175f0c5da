import { violatedConstraint, type Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { issueKey } from '../keys/key-owner.ts';

/**
 * Revokes an agent's live key and issues the next. With the hash of the key that asks for it, only that very key can:
 * of two that come at once, one gets the new key and the other learns that its own is gone.
 */
export async function replaceKey(
  db: Db,
  prefix: string,
  agentId: string,
  now: Date,
  asking?: Buffer,
): Promise<string> {
  // Whoever proves the mailbox at this moment ends the old key and misses the new one, unless they take turns here.
  await db`select from agent where id = ${agentId} for update`;
  const revoked = await db`
    update api_key set revoked_at = ${now}
    where agent_id = ${agentId} and revoked_at is null and (${asking === undefined} or hash = ${asking ?? null})`;
  if (asking !== undefined && revoked.count === 0) throw replaced();
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
