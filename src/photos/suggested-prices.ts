import type { Db } from '../core/postgres/db.ts';
import { USES, type Use } from '../licensing/use.ts';

/** Photos of other photographers that a suggestion needs; fewer would be the price of one person. */
export const OTHERS_MIN = 5;

/** Prices of others for a use: the middle price, and the middle half of all prices, in cents. */
export interface SuggestedPrice {
  low_cents: number;
  middle_cents: number;
  high_cents: number;
  /** Photos that the suggestion is made of. */
  photos: number;
  /** True when they show places of the same destination; otherwise they are from everywhere. */
  nearby: boolean;
}

/** Suggests a price for each use of a photo of a place from the first prices of others. A use with too few has none. */
export async function suggestPrices(
  db: Db,
  { placeId, memberId }: { placeId: string | null; memberId: string },
): Promise<Partial<Record<Use, SuggestedPrice>>> {
  const rows = await db<(SuggestedPrice & { use: Use })[]>`
    with here as (
      select destination_id from place where id = ${placeId}
    ), price as (
      select u.use, u.cents, p.destination_id = (select destination_id from here) as nearby
      from photo f left join place p on p.id = f.place_id
      cross join lateral (values ('social', f.price_social), ('web', f.price_web), ('ad', f.price_ad),
        ('ai_training', f.price_ai_training)) as u (use, cents)
      where f.member_id <> ${memberId} and f.state in ('approved','live','ended') and u.cents is not null
    ), suggestion as (
      select use, true as nearby, cents from price where nearby
      union all select use, false, cents from price
    )
    select distinct on (use) use, nearby, count(*)::int as photos,
      percentile_disc(0.25) within group (order by cents)::int as low_cents,
      percentile_disc(0.5) within group (order by cents)::int as middle_cents,
      percentile_disc(0.75) within group (order by cents)::int as high_cents
    from suggestion group by use, nearby having count(*) >= ${OTHERS_MIN}
    order by use, nearby desc`;
  return Object.fromEntries(
    USES.flatMap((use) => {
      const found = rows.find((row) => row.use === use);
      if (found === undefined) return [];
      const { use: _, ...suggestion } = found;
      return [[use, suggestion]];
    }),
  );
}
