import type { Ctx } from '../core/context.ts';
import { decodeCursor, encodeCursor } from '../core/cursor.ts';
import { findDestination } from '../directory/find-destination.ts';
import { offeredColumns, type LivePhoto } from './offered-photo.ts';
import { basesWithin } from './price.ts';
import type { Use } from './use.ts';

/** Maximum number of licences of any drop. */
const STEPS_MAX = 100;

interface PhotoSearch {
  city?: string | undefined;
  kind?: string | undefined;
  use?: Use | undefined;
  maxPriceCents?: number | undefined;
  placeId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

interface Position {
  at: string;
  id: string;
}

export async function searchPhotos({ db, deps, now }: Ctx, search: PhotoSearch) {
  const { secrets, destinations } = deps;
  const { city, kind, use, maxPriceCents, placeId, limit } = search;
  const destination = city === undefined ? undefined : findDestination(destinations.current, city);
  const after =
    search.cursor === undefined
      ? undefined
      : (decodeCursor(secrets.session, 'photos', search.cursor) as Position);
  const price = (one: Use) => db(`p.price_${one}`);
  // All uses rise by the same steps, so the use with the lowest base price is the cheapest at every step.
  const cheapest =
    use === undefined ? db`least(p.price_social, p.price_web, p.price_ad, p.price_ai_training)` : price(use);
  const rows = await db<(LivePhoto & { live_at_exact: string })[]>`
    select ${offeredColumns(db)}, p.live_at::text as live_at_exact
    from photo p join place s on s.id = p.place_id and s.removed_at is null left join member m on m.id = p.member_id
    where p.state = 'live' and p.ends_at > ${now} and p.sold < p.drop_cap
      ${use === undefined ? db`` : db`and ${price(use)} is not null`}
      ${kind === undefined ? db`` : db`and s.vertical = ${kind}`}
      ${placeId === undefined ? db`` : db`and s.id = ${placeId}`}
      ${destination === undefined ? db`` : db`and s.destination_id = ${destination.id}`}
      ${city === undefined || destination !== undefined ? db`` : db`and lower(s.city) = lower(${city})`}
      ${
        maxPriceCents === undefined
          ? db``
          : db`and ${cheapest} <= (${basesWithin(maxPriceCents, STEPS_MAX)}::bigint[])[p.sold + 1]`
      }
      ${after === undefined ? db`` : db`and (p.live_at, p.id) < (${after.at}::text::timestamptz, ${after.id})`}
    order by p.live_at desc, p.id desc limit ${limit + 1}`;
  const photos = rows.slice(0, limit);
  const last = photos.at(-1);
  const nextCursor =
    rows.length > limit && last !== undefined
      ? encodeCursor(secrets.session, 'photos', { at: last.live_at_exact, id: last.id } satisfies Position)
      : null;
  return { photos, nextCursor };
}
