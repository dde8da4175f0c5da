import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Contact } from './contact.ts';

/**
 * Marks a place as Claimed, after its venue entered the code that was sent to one of its own contacts. Data that agents
 * submitted in the venue's name keeps their provenance until the venue confirms that they act for it. A venue that
 * claimed before is only signed in again.
 */
export async function claimPlace(
  tx: Db,
  { now, audit }: Pick<Ctx, 'now' | 'audit'>,
  placeId: string,
  { channel, to }: Contact,
): Promise<void> {
  // Invalidates the codes that others requested for this contact.
  await tx`
    delete from claim_code where place_id = ${placeId} and channel = ${channel} and contact = ${to}`;
  const { count } = await tx`
    insert into venue_claim (place_id, channel, contact, claimed_at)
    values (${placeId}, ${channel}, ${to}, ${now}) on conflict (place_id) do nothing`;
  audit(placeId, { channel, claimed: count === 1 });
  if (count === 0) return;
  await tx`
    update place set badge = 'claimed', verified_at = ${now}, updated_at = ${now} where id = ${placeId}`;
}
