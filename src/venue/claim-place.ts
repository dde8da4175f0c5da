import type { Deps } from '../core/context.ts';
import type { Db } from '../core/db.ts';
import type { Contact } from './contact.ts';

/**
 * Makes a place Claimed: its venue entered the code that went to a contact of its own. What the owner's agent had
 * submitted is from now on the owner's word. A venue that claimed before only signs in again.
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
  const submitted = await tx<{ id: string }[]>`
    select s.id from submission s
    join submission_revision r on r.submission_id = s.id and r.revision = s.live_revision
    where s.place_id = ${placeId} and r.content->>'relationship' = 'owner'`;
  const ids = submitted.map(({ id }) => id);
  await tx`
    update place set badge = 'claimed', verified_at = ${now}, updated_at = ${now},
      hours = case when origins->>'hours' = any(${ids}) then hours || '{"source":"owner"}' else hours end,
      origins = (select coalesce(jsonb_object_agg(key, case when value = any(${ids}) then 'owner' else value end), '{}')
                 from jsonb_each_text(origins))
    where id = ${placeId}`;
}
