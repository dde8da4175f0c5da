import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Contact } from './contact.ts';

/**
 * Makes a place Claimed: its venue entered the code that went to a contact of its own. What agents said in its name
 * stays their word until the venue says that they act for it. A venue that claimed before only signs in again.
 */
export async function claimPlace(
  tx: Db,
  { now, audit }: Pick<Ctx, 'now' | 'audit'>,
  placeId: string,
  { channel, to }: Contact,
): Promise<void> {
  // What others asked for at this contact ends with it.
  await tx`
    delete from claim_sending where place_id = ${placeId} and channel = ${channel} and contact = ${to}`;
  const { count } = await tx`
    insert into venue_claim (place_id, channel, contact, claimed_at)
    values (${placeId}, ${channel}, ${to}, ${now}) on conflict (place_id) do nothing`;
  audit(placeId, { channel, claimed: count === 1 });
  if (count === 0) return;
  await tx`
    update place set badge = 'claimed', verified_at = ${now}, updated_at = ${now} where id = ${placeId}`;
}
