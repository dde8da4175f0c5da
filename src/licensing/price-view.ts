import type { Db } from '../core/postgres/db.ts';
import type { OfferedPhoto } from './offered-photo.ts';
import type { Use } from './use.ts';

/** Time for which a quote counts as the price this buyer knows; a search result counts until the next one. */
const QUOTE_REMEMBERED_MS = 15 * 60_000;
/** Longer than any drop. */
export const PRICE_VIEW_KEPT_DAYS = 4;

/** Records the prices that an agent was shown, as the number of licences sold, from which prices follow. */
export async function recordPriceViews(
  db: Db,
  agentId: string,
  photos: readonly Pick<OfferedPhoto, 'id' | 'drop_number' | 'sold'>[],
  use: Use | 'every',
  now: Date,
): Promise<void> {
  if (photos.length === 0) return;
  await db`
    insert into photo_price_view (agent_id, photo_id, use, drop_number, sold, seen_at)
    select ${agentId}, id, ${use}, drop_number, sold, ${now}
    from unnest(${photos.map(({ id }) => id)}::text[], ${photos.map(({ drop_number }) => drop_number)}::int[],
                ${photos.map(({ sold }) => sold)}::int[]) as seen (id, drop_number, sold)
    order by id
    on conflict (agent_id, photo_id, use) do update
      set drop_number = excluded.drop_number, sold = excluded.sold, seen_at = excluded.seen_at`;
}

/** Number of licences sold when this agent last saw the price of a use; undefined if it never did. */
export async function lastSeenSold(
  db: Db,
  agentId: string,
  photo: OfferedPhoto,
  use: Use,
  now: Date,
): Promise<number | undefined> {
  const [view] = await db<{ sold: number }[]>`
    select sold from photo_price_view
    where agent_id = ${agentId} and photo_id = ${photo.id} and drop_number = ${photo.drop_number}
      and (use = 'every' or (use = ${use} and seen_at >= ${new Date(now.getTime() - QUOTE_REMEMBERED_MS)}))
    order by seen_at desc, sold desc limit 1`;
  return view?.sold;
}
