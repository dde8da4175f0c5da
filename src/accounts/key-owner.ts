import type { Db } from '../core/db.ts';
import { AppError } from '../core/errors.ts';
import { createApiKey, displayPrefix, hashApiKey, isWellFormedKey, type KeyKind } from './api-key.ts';

export interface KeyOwner {
  id: string;
  status: 'active' | 'suspended' | 'revoked';
}

/** The account behind a key, or the error that says why there is none. */
export async function findKeyOwner(db: Db, prefix: string, kind: KeyKind, key: string): Promise<KeyOwner> {
  const unknown = new AppError('invalid_key', 'This key is not one that we issued, or it was mistyped.', {
    hint: 'Check the key for missing characters. A lost key cannot be shown again; it can be replaced.',
  });
  if (!isWellFormedKey(prefix, kind, key)) throw unknown;
  const [row] = await db<{ id: string; status: KeyOwner['status']; revoked: boolean }[]>`
    select coalesce(k.agent_id, k.partner_id) as id, coalesce(a.status, 'active') as status,
           k.revoked_at is not null as revoked
    from api_key k left join agent a on a.id = k.agent_id
    where k.hash = ${hashApiKey(key)} and (k.agent_id is not null) = ${kind === 'live'}`;
  if (row === undefined) throw unknown;
  if (row.revoked || row.status === 'revoked') {
    throw new AppError('key_revoked', 'This key was revoked and no longer opens anything.');
  }
  return row;
}

/** Makes the one live key of an account. The caller shows it once; only its hash stays. */
export async function issueKey(
  db: Db,
  prefix: string,
  owner: { agentId: string } | { partnerId: string },
  now: Date,
): Promise<string> {
  const key = createApiKey(prefix, 'agentId' in owner ? 'live' : 'partner');
  await db`
    insert into api_key (hash, prefix, agent_id, partner_id, created_at)
    values (${hashApiKey(key)}, ${displayPrefix(key)}, ${'agentId' in owner ? owner.agentId : null},
            ${'partnerId' in owner ? owner.partnerId : null}, ${now})`;
  return key;
}
