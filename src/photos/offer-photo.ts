import type { Db } from '../core/postgres/db.ts';
import type { Use } from '../licensing/use.ts';
import { findPhoto, isDropRunning, movePhoto } from './photo.ts';

export interface PhotoOffer {
  /** In US cents; null: not offered for that use. */
  prices: Record<Use, number | null>;
  dropCap: number;
}

export type OfferOutcome = 'saved' | 'live' | 'gone';

/** Sets prices and the size of the next drop. While one runs, both stand still, which the database holds too. */
export async function offerPhoto(
  tx: Db,
  photoId: string,
  { prices, dropCap, now }: PhotoOffer & { now: Date },
): Promise<OfferOutcome> {
  await tx`select from photo where id = ${photoId} for update`;
  const photo = await findPhoto(tx, photoId);
  if (photo === undefined || ['refused', 'rejected', 'withdrawn'].includes(photo.state)) return 'gone';
  if (isDropRunning(photo, now)) return 'live';
  // The clock may not have come by yet.
  if (photo.state === 'live') await movePhoto(tx, photoId, { to: 'ended', by: 'clock', now });
  // What the last drop sold stands in its licences; the next one begins at nothing.
  await tx`
    update photo set price_social = ${prices.social}, price_web = ${prices.web}, price_ad = ${prices.ad},
      price_ai_training = ${prices.ai_training}, drop_cap = ${dropCap}, sold = 0
    where id = ${photoId}`;
  return 'saved';
}

/** The words under a photo. They are checked with it, so they stand once a person has looked at both. */
export async function captionPhoto(tx: Db, photoId: string, caption: string, now: Date): Promise<boolean> {
  const written = await tx`
    update photo set caption = ${caption}, updated_at = ${now}
    where id = ${photoId} and state in ('processing', 'to_check') returning id`;
  return written.length === 1;
}
