import type { Pool } from '../core/postgres/db.ts';

/** Above this number of rows, summing them takes longer than compacting them once. */
const LINES_MAX = 20_000;

/** Number of places of a destination, and how many of them were verified after a day. */
interface PlaceTally {
  destination_id: string;
  places: number;
  verified: number;
  lines: number;
}

/** Sums the rows of each destination. The database maintains them as places are added and removed (tally_places()). */
export async function tallyPlaces(pool: Pool, verifiedSince: Date): Promise<Map<string, PlaceTally>> {
  const tallies = await pool<PlaceTally[]>`
    select destination_id, sum(places)::int as places, count(*)::int as lines,
           coalesce(sum(places) filter (where verified_on > (${verifiedSince}::timestamptz at time zone 'UTC')::date), 0)::int
             as verified
    from place_tally group by destination_id`;
  if (tallies.reduce((sum, { lines }) => sum + lines, 0) > LINES_MAX) await compactRows(pool);
  return new Map(tallies.map((tally) => [tally.destination_id, tally]));
}

// One statement, so that readers see all of it or nothing, and the second of two calls finds no rows.
async function compactRows(pool: Pool): Promise<void> {
  await pool`
    with gone as (delete from place_tally returning *)
    insert into place_tally
    select destination_id, verified_on, sum(places) from gone group by 1, 2 having sum(places) <> 0`;
}
