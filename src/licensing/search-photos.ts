import type { Deps } from '../core/context.ts';
import { decodeCursor, encodeCursor } from '../core/cursor.ts';
import { findDestination } from '../directory/find-destination.ts';
import { offeredColumns, type LivePhoto } from './offered-photo.ts';
import { basesWithin } from './price.ts';
import type { Use } from './use.ts';

/** No drop has more licences. */
const STEPS_MAX = 100;

export interface PhotoSearch {
  city?: string | undefined;
  kind?: string | undefined;
  use?: Use | undefined;
  maxPriceCents?: number | undefined;
  placeId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface FoundPhotos {
  photos: LivePhoto[];
  nextCursor: string | null;
}

interface Position {
  at: string;
  id: string;
}

/** Photos that can be licensed at this moment, the newest drop first. */
export async function searchPhotos(deps: Deps, search: PhotoSearch, now: Date): Promise<FoundPhotos> {
  const { pool, secrets, destinations } = deps;
  const { city, kind, use, maxPriceCents, placeId, limit } = search;
  const destination = city === undefined ? undefined : findDestination(destinations.current, city);
  const after =
    search.cursor === undefined
      ? undefined
      : (decodeCursor(secrets.session, 'photos', search.cursor) as Position);
  const price = (one: Use) => pool(`p.price_${one}`);
  // As all uses rise by the same steps, the cheapest at first is the cheapest at every step.
  const cheapest =
    use === undefined
      ? pool`least(p.price_social, p.price_web, p.price_ad, p.price_ai_training)`
      : price(use);
  const rows = await pool<(LivePhoto & { live_at_exact: string })[]>`
    select ${offeredColumns(pool)}, p.live_at::text as live_at_exact
    from photo p join place s on s.id = p.place_id left join member m on m.id = p.member_id
    where p.state = 'live' and p.ends_at > ${now} and p.sold < p.drop_cap
      ${use === undefined ? pool`` : pool`and ${price(use)} is not null`}
      ${kind === undefined ? pool`` : pool`and s.vertical = ${kind}`}
      ${placeId === undefined ? pool`` : pool`and s.id = ${placeId}`}
      ${destination === undefined ? pool`` : pool`and s.destination_id = ${destination.id}`}
      ${city === undefined || destination !== undefined ? pool`` : pool`and lower(s.city) = lower(${city})`}
      ${
        maxPriceCents === undefined
          ? pool``
          : pool`and ${cheapest} <= (${basesWithin(maxPriceCents, STEPS_MAX)}::bigint[])[p.sold + 1]`
      }
      ${after === undefined ? pool`` : pool`and (p.live_at, p.id) < (${after.at}::text::timestamptz, ${after.id})`}
    order by p.live_at desc, p.id desc limit ${limit + 1}`;
  const photos = rows.slice(0, limit);
  const last = photos.at(-1);
  const nextCursor =
    rows.length > limit && last !== undefined
      ? encodeCursor(secrets.session, 'photos', { at: last.live_at_exact, id: last.id } satisfies Position)
      : null;
  return { photos, nextCursor };
}
