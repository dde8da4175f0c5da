import type { Db } from '../core/db.ts';

export interface BestPlace {
  place_id: string;
  name: string;
  category: string;
  area: string | null;
  rating: number | null;
  review_count: number;
  price_range: string | null;
  badge: 'mapped' | 'claimed';
}

const BEST_PLACES = 50;

/** The places of a destination that a visitor sees first: the well rated by many, never one known to have closed. */
export function listBestPlaces(db: Db, destinationId: string): Promise<BestPlace[]> {
  return db<BestPlace[]>`
    select id as place_id, name, category, area, rating::float8 as rating, review_count, price_range, badge
    from place
    where destination_id = ${destinationId} and closed_at is null
    -- A mean that starts from ten reviews of 3.8: one perfect review does not outrank a hundred good ones.
    order by (coalesce(rating, 3.8) * review_count + 38) / (review_count + 10) desc, id
    limit ${BEST_PLACES}`;
}
