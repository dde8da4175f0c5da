import type { Db } from '../core/postgres/db.ts';
import type { Use } from '../licensing/use.ts';
import { findPhoto, isDropRunning, movePhoto } from './photo.ts';

interface PhotoOffer {
  /** In US cents; null: not offered for that use. */
  prices: Record<Use, number | null>;
  dropCap: number;
}

type OfferOutcome = 'saved' | 'live' | 'gone';

/** Sets prices and the size of the next drop. Both are fixed while a drop runs, which the database enforces too. */
export async function offerPhoto(
  tx: Db,
  photoId: string,
  { prices, dropCap, now }: PhotoOffer & { now: Date },
): Promise<OfferOutcome> {
  await tx`select from photo where id = ${photoId} for update`;
  const photo = await findPhoto(tx, photoId);
  if (photo === undefined || ['refused', 'rejected', 'withdrawn'].includes(photo.state)) return 'gone';
  if (isDropRunning(photo, now)) return 'live';
  // The job that ends the drop may not have run yet.
  if (photo.state === 'live') await movePhoto(tx, photoId, { to: 'ended', by: 'clock', now });
  // Sales of the last drop are recorded in its licences; the next one starts at zero.
  await tx`
    update photo set price_social = ${prices.social}, price_web = ${prices.web}, price_ad = ${prices.ad},
      price_ai_training = ${prices.ai_training}, drop_cap = ${dropCap}, sold = 0
    where id = ${photoId}`;
  return 'saved';
}

/** Sets the caption. It is checked with the photo, so it is fixed once a person has checked both. */
export async function captionPhoto(tx: Db, photoId: string, caption: string, now: Date): Promise<boolean> {
  const updated = await tx`
    update photo set caption = ${caption}, updated_at = ${now}
    where id = ${photoId} and state in ('processing', 'to_check') returning id`;
  return updated.length === 1;
}
