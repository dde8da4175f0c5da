import type { Db } from '../../core/postgres/db.ts';
import { hashToken } from '../../core/secret/token.ts';
import { createApiKey, displayPrefix } from '../keys/api-key.ts';
import { issueReplacement, keyReplaced } from '../keys/key-owner.ts';
import { provePartnerMailbox } from '../agents/prove-mailbox.ts';
import { mailEndedKey, type PartnerMail } from './partner-mail.ts';
import { DAY_MS } from '../../core/time.ts';

/** Lifetime of a mailed key that has not yet replaced the live one. */
export const PENDING_KEY_MS = 7 * DAY_MS;

/** Replaces all keys of a partner. With `requestingKey`, only that one: of two simultaneous requests one fails. */
export async function replacePartnerKey(
  db: Db,
  prefix: string,
  partnerId: string,
  now: Date,
  requestingKey?: Buffer,
): Promise<string> {
  await db`select from partner where id = ${partnerId} for no key update`;
  const revoked = await db<{ hash: Buffer }[]>`
    update api_key set revoked_at = ${now} where partner_id = ${partnerId} and revoked_at is null returning hash`;
  if (requestingKey !== undefined && !revoked.some(({ hash }) => hash.equals(requestingKey)))
    throw keyReplaced();
  return issueReplacement(db, prefix, { partnerId }, now);
}

/** Revokes all keys of a partner, also those that were only mailed. False when there was none. */
export async function revokePartnerKeys(db: Db, partnerId: string, now: Date): Promise<boolean> {
  await db`select from partner where id = ${partnerId} for no key update`;
  const revoked = await db`
    update api_key set revoked_at = ${now} where partner_id = ${partnerId} and revoked_at is null`;
  return revoked.count > 0;
}

/** Issues a key that is only mailed. Nothing changes until it is used: a stranger may have requested it. */
export async function issuePendingKey(
  db: Db,
  prefix: string,
  partnerId: string,
  now: Date,
): Promise<{ apiKey: string; keyHash: Buffer }> {
  const apiKey = createApiKey(prefix, 'partner');
  const keyHash = hashToken(apiKey);
  await db`
    insert into api_key (hash, prefix, partner_id, created_at, pending_until)
    values (${keyHash}, ${displayPrefix(apiKey)}, ${partnerId}, ${now}, ${new Date(now.getTime() + PENDING_KEY_MS)})`;
  return { apiKey, keyHash };
}

/** Makes a mailed key the live one, which proves the mailbox, and revokes every other. Undefined when it is invalid. */
export async function activatePendingKey(
  tx: Db,
  { config, newId, now }: Pick<PartnerMail, 'config' | 'newId' | 'now'>,
  keyHash: Buffer,
): Promise<{ partnerId: string; changed: boolean } | undefined> {
  const [partner] = await tx<PartnerMail['partner'][]>`
    select p.id, p.name, p.email from api_key k join partner p on p.id = k.partner_id
    where k.hash = ${keyHash} for no key update of p`;
  if (partner === undefined) return undefined;
  const partnerId = partner.id;
  // The partner's row is the lock. Read the key again under it: another request may have been faster.
  const [key] = await tx<{ pending_until: Date | null; revoked_at: Date | null }[]>`
    select pending_until, revoked_at from api_key where hash = ${keyHash}`;
  if (key === undefined || key.revoked_at !== null) return undefined;
  if (key.pending_until === null) return { partnerId, changed: false };
  if (key.pending_until <= now) return undefined;
  const endedKey = await provePartnerMailbox(tx, partnerId, now, keyHash);
  if (endedKey !== undefined)
    await mailEndedKey({ db: tx, config, newId, now, partner }, endedKey, 'mailed_key');
  await tx`
    update api_key set revoked_at = ${now}
    where partner_id = ${partnerId} and revoked_at is null and hash <> ${keyHash}`;
  await tx`update api_key set pending_until = null where hash = ${keyHash}`;
  return { partnerId, changed: true };
}
