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
  outline: Uint8Array | null;
}

/** A destination in the list of staff, without the outline, which may be large. */
export type ListedDestination = Omit<DestinationRecord, 'outline'> & { outlined: boolean };

const COLUMNS = `d.id, d.slug, d.name, d.other_names, d.country, d.timezone, d.lat, d.lng, d.west, d.south, d.east, d.north,
  coalesce((select sum(t.places) from place_tally t where t.destination_id = d.id), 0)::int as places`;

/** Lists destinations by name, from the database, because a change must be visible on the next page. */
export async function listDestinationRecords(
  db: Db,
  { query, limit, offset }: { query: string | undefined; limit: number; offset: number },
): Promise<{ total: number; destinations: ListedDestination[] }> {
  const like = query === undefined ? null : `%${escapeLike(query)}%`;
  const matching = db`
    (${like}::text is null or d.name ilike ${like} or d.slug ilike ${like} or d.country = upper(${query ?? ''})
      or exists (select 1 from unnest(d.other_names) other where other ilike ${like}))`;
  const [count] = await db<{ total: number }[]>`
    select count(*)::int as total from destination d where ${matching}`;
  const destinations = await db<ListedDestination[]>`
    select ${db.unsafe(COLUMNS)}, d.outline is not null as outlined from destination d where ${matching}
    order by d.name, d.id limit ${limit} offset ${offset}`;
  return { total: count?.total ?? 0, destinations: [...destinations] };
}

export async function findDestinationRecord(db: Db, id: string): Promise<DestinationRecord | undefined> {
  const [destination] = await db<DestinationRecord[]>`
    select ${db.unsafe(COLUMNS)}, d.outline from destination d where d.id = ${id}`;
  return destination;
}
