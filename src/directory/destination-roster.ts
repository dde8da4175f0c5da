import type { Db } from '../core/postgres/db.ts';
import { escapeLike } from '../core/text/text.ts';
import type { DestinationExtent } from './destinations.ts';

/** A destination as staff see it. */
export interface DestinationRecord extends DestinationExtent {
  id: string;
  slug: string;
  name: string;
  other_names: string[];
  country: string;
  timezone: string;
  /** Open places. */
  places: number;
  /** Open places with hours or facts that somebody verified, and the last day on which that happened, YYYY-MM-DD. */
  verified: number;
  verified_on: string | null;
  /** Names of a few open places. */
  sample: string[];
  outline: Uint8Array | null;
}

/** A destination in the list of staff, without the outline, which may be large. */
export type ListedDestination = Omit<DestinationRecord, 'outline'> & { outlined: boolean };

const SAMPLE_MAX = 3;

const COLUMNS = `d.id, d.slug, d.name, d.other_names, d.country, d.timezone, d.lat, d.lng, d.west, d.south, d.east, d.north,
  coalesce(t.places, 0)::int as places, coalesce(t.verified, 0)::int as verified, t.verified_on,
  array(select p.name from place p where p.destination_id = d.id and p.closed_at is null and p.removed_at is null
        order by p.id limit ${SAMPLE_MAX}) as sample`;
const TALLY = `
  left join lateral (
    select sum(t.places) as places, sum(t.places) filter (where t.verified_on is not null) as verified,
           max(t.verified_on)::text as verified_on
    from place_tally t where t.destination_id = d.id) t on true`;

/** What a destination lacks: places, or an outline instead of a box. */
export type DestinationLack = 'places' | 'outline';

export interface DestinationCounts {
  destinations: number;
  places: number;
  without_places: number;
  without_outline: number;
}

export async function countDestinations(db: Db): Promise<DestinationCounts> {
  const [counts] = await db<DestinationCounts[]>`
    select count(*)::int as destinations, coalesce(sum(t.places), 0)::int as places,
           count(*) filter (where coalesce(t.places, 0) = 0)::int as without_places,
           count(*) filter (where d.outline is null)::int as without_outline
    from destination d ${db.unsafe(TALLY)}`;
  return counts ?? { destinations: 0, places: 0, without_places: 0, without_outline: 0 };
}

/**
 * Lists destinations, those with places first, then by name; from the database, because a change must be visible on the
 * next page.
 */
export async function listDestinationRecords(
  db: Db,
  {
    query,
    lacks = null,
    limit,
    offset,
  }: { query: string | undefined; lacks: DestinationLack | null | undefined; limit: number; offset: number },
): Promise<{ total: number; destinations: ListedDestination[] }> {
  const like = query === undefined ? null : `%${escapeLike(query)}%`;
  const matching = db`
    (${like}::text is null or d.name ilike ${like} or d.slug ilike ${like} or d.country = upper(${query ?? ''})
      or exists (select 1 from unnest(d.other_names) other where other ilike ${like}))
    and (${lacks}::text is null or (${lacks} = 'places' and coalesce(t.places, 0) = 0)
      or (${lacks} = 'outline' and d.outline is null))`;
  const [count] = await db<{ total: number }[]>`
    select count(*)::int as total from destination d ${db.unsafe(TALLY)} where ${matching}`;
  const destinations = await db<ListedDestination[]>`
    select ${db.unsafe(COLUMNS)}, d.outline is not null as outlined from destination d ${db.unsafe(TALLY)} where ${matching}
    order by coalesce(t.places, 0) = 0, d.name, d.id limit ${limit} offset ${offset}`;
  return { total: count?.total ?? 0, destinations: [...destinations] };
}

export async function findDestinationRecord(db: Db, id: string): Promise<DestinationRecord | undefined> {
  const [destination] = await db<DestinationRecord[]>`
    select ${db.unsafe(COLUMNS)}, d.outline from destination d ${db.unsafe(TALLY)} where d.id = ${id}`;
  return destination;
}
