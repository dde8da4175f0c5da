import type { Pool } from '../core/postgres/db.ts';

/** Above this, adding the lines up takes longer than putting them together once. */
const LINES_MAX = 20_000;

/** How many places a destination has, and how many of them were verified after a day. */
export interface PlaceTally {
  destination_id: string;
  places: number;
  verified: number;
  lines: number;
}

/** The database keeps count as places come and go (migration 0033); here the lines of a destination are added up. */
export async function tallyPlaces(pool: Pool, verifiedSince: Date): Promise<Map<string, PlaceTally>> {
  const tallies = await pool<PlaceTally[]>`
    select destination_id, sum(places)::int as places, count(*)::int as lines,
           coalesce(sum(places) filter (where verified_on > (${verifiedSince}::timestamptz at time zone 'UTC')::date), 0)::int
             as verified
    from place_tally group by destination_id`;
  if (tallies.reduce((sum, { lines }) => sum + lines, 0) > LINES_MAX) await joinLines(pool);
  return new Map(tallies.map((tally) => [tally.destination_id, tally]));
}

// One statement: whoever adds up sees all of it or nothing, and of two who join at once the second finds nothing.
async function joinLines(pool: Pool): Promise<void> {
  await pool`
    with gone as (delete from place_tally returning *)
    insert into place_tally
    select destination_id, verified_on, sum(places) from gone group by 1, 2 having sum(places) <> 0`;
}
