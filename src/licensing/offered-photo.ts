import type { Db } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import { priceAfter } from './price.ts';
import { USES, type Use } from './use.ts';

export interface OfferedPhoto extends Record<`price_${Use}`, number | null> {
  id: string;
  member_id: string;
  state: string;
  caption: string;
  /** Drawn for the demonstration; nobody has checked it. */
  generated: boolean;
  month: string;
  width: number;
  height: number;
  sha256: Buffer;
  bytes: number;
  drop_cap: number;
  drop_number: number;
  sold: number;
  version: number;
  live_at: Date | null;
  ends_at: Date | null;
  photographer: string;
  place_id: string | null;
  place_name: string | null;
  destination_id: string | null;
  city: string | null;
  country: string | null;
  kind: string | null;
}

type SetWhileLive = 'live_at' | 'ends_at' | 'place_id' | 'place_name' | 'destination_id' | 'country' | 'kind';
export type LivePhoto = OfferedPhoto & { [Column in SetWhileLive]: NonNullable<OfferedPhoto[Column]> };

/** Name for a photographer whose member data was erased. */
export const UNNAMED_PHOTOGRAPHER = 'a traveller';

export function offeredColumns(db: Db) {
  return db`
    p.id, p.member_id, p.state, p.caption, p.month, p.width, p.height, p.sha256, p.bytes, p.price_social, p.price_web,
    p.price_ad, p.price_ai_training, p.drop_cap, p.drop_number, p.sold, p.version, p.live_at, p.ends_at, p.generated,
    coalesce(m.display_name, ${UNNAMED_PHOTOGRAPHER}) as photographer, s.id as place_id, s.name as place_name, s.destination_id,
    s.city, s.country, s.vertical as kind`;
}

/** Finds a photo by id. With `locked`, nobody else licenses it until the transaction ends. */
export async function findOfferedPhoto(
  db: Db,
  id: string,
  options: { locked?: boolean } = {},
): Promise<OfferedPhoto | undefined> {
  const [photo] = await db<OfferedPhoto[]>`
    select ${offeredColumns(db)}
    from photo p left join place s on s.id = p.place_id and s.removed_at is null left join member m on m.id = p.member_id
    where p.id = ${id} ${options.locked === true ? db`for no key update of p` : db``}`;
  return photo;
}

/** Throws unless the photo can be licensed now. A photo that was never offered is reported as not found. */
export function requireLive(photo: OfferedPhoto | undefined, now: Date): LivePhoto {
  if (photo === undefined || photo.live_at === null || photo.ends_at === null)
    throw new AppError('photo_not_found', 'There is no such photo on offer.', {
      hint: 'Look for photos with GET /api/agent/photos/search.',
    });
  if (photo.sold >= photo.drop_cap)
    throw new AppError('sold_out', 'All licences of this drop are sold. Nothing was charged.');
  if (photo.state !== 'live' || photo.ends_at <= now || photo.place_id === null)
    throw new AppError('drop_ended', 'The drop of this photo has ended. Nothing was charged.');
  return photo as LivePhoto;
}

/** Price of a use before the first licence. Throws when the photographer does not offer that use. */
export function basePrice(photo: OfferedPhoto, use: Use): number {
  const base = photo[`price_${use}`];
  if (base !== null) return base;
  const offered = USES.filter((one) => photo[`price_${one}`] !== null);
  throw new AppError('use_not_offered', `The photographer does not offer this photo for the use ${use}.`, {
    hint: `It is offered for: ${offered.join(', ')}.`,
    errors: [{ pointer: '/use', code: 'not_in_enum', detail: `must be one of ${offered.join(', ')}` }],
  });
}

/** Price of each use after this many licences; null where the photo is not offered for it. */
export function pricesAfter(photo: OfferedPhoto, sold: number): Record<Use, number | null> {
  const of = (use: Use) => {
    const base = photo[`price_${use}`];
    return base === null ? null : priceAfter(base, sold);
  };
  return { social: of('social'), web: of('web'), ad: of('ad'), ai_training: of('ai_training') };
}

/** Attribution that must be shown beside the photo. */
export function photoAttribution(
  { photographer }: Pick<OfferedPhoto, 'photographer'>,
  serviceName: string,
): string {
  return `Photo: ${photographer} via ${serviceName}`;
}

/** Price of each use after one more licence: `drop.price_next` in every response. */
export function pricesNext(photo: OfferedPhoto): Record<Use, number | null> {
  return pricesAfter(photo, photo.sold + 1);
}
