import type { Db } from '../core/postgres/db.ts';
import { violatedConstraint } from '../core/postgres/db.ts';

export const STARS_MAX = 5;
/** Below this number, an average would reveal individual ratings. */
const RATINGS_MIN = 3;

/** Rates the table of a booking, or changes the rating. False for a table that this member may not rate. */
export async function rateTable(
  db: Db,
  rating: { memberId: string; bookingId: string; stars: number; now: Date },
): Promise<boolean> {
  const { memberId, bookingId, stars, now } = rating;
  try {
    const [row] = await db`
      insert into place_rating (booking_id, place_id, member_id, stars, rated_at)
      select b.id, p.id, b.member_id, ${stars}, ${now}
      from booking b join place p on p.id = coalesce(
        (select m.place_id from place_merged m where m.merged_id = b.place_id), b.place_id)
      where b.id = ${bookingId} and b.member_id = ${memberId}
      on conflict (booking_id) do update set stars = excluded.stars, rated_at = excluded.rated_at
      returning 1`;
    return row !== undefined;
  } catch (thrown) {
    if (violatedConstraint(thrown) === 'place_rating_by_guest') return false;
    throw thrown;
  }
}

export interface GuestRating {
  average: number;
  count: number;
}

/** Average rating of a place by guests of confirmed tables, to one decimal; null while there are too few. */
export async function guestRatingOf(db: Db, placeId: string): Promise<GuestRating | null> {
  const [row] = await db<GuestRating[]>`
    select round(avg(stars), 1)::float8 as average, count(*)::int as count from place_rating
    where place_id = ${placeId} having count(*) >= ${RATINGS_MIN}`;
  return row ?? null;
}
