import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Contact } from './contact.ts';

/**
 * Makes a place Claimed: its venue entered the code that went to a contact of its own. What agents said in its name
 * stays their word until the venue says that they act for it. A venue that claimed before only signs in again.
 */
export async function claimPlace(deps: Deps, tx: Db, placeId: string, contact: Contact): Promise<void> {
  const now = deps.clock.now();
  await tx`
    update claim_code set code_hash = null, sent_at = null, expires_at = null, tries = 0
    where place_id = ${placeId} and channel = ${contact.channel} and contact = ${contact.to}`;
  const { count } = await tx`
    insert into venue_claim (place_id, channel, contact, claimed_at)
    values (${placeId}, ${contact.channel}, ${contact.to}, ${now}) on conflict (place_id) do nothing`;
  await tx`
    insert into audit_log (at, actor, operation, request_id, subject, detail)
    values (${now}, 'venue', ${count === 1 ? 'claim_place' : 'venue_sign_in'}, ${deps.newId('req')}, ${placeId},
            ${tx.json({ channel: contact.channel })})`;
  if (count === 0) return;
  await tx`
    update place set badge = 'claimed', verified_at = ${now}, updated_at = ${now} where id = ${placeId}`;
}
