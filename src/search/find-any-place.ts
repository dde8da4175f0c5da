import type { Deps } from '../core/context.ts';
import { escapeLike } from '../core/text/text.ts';
import { searchPlaces } from './search-places.ts';

export interface FoundPlace {
  id: string;
  name: string;
  vertical: string;
  category: string;
  cuisine: readonly string[];
  city: string | null;
  country: string;
  address: string | null;
  lat: number | null;
  lng: number | null;
  badge: 'mapped' | 'claimed';
  closed_at: Date | null;
  removed_at: Date | null;
  source: string;
}

const CLOSED_MAX = 20;

/** Finds any place by its id or by words, including closed places, which search omits. */
export async function findAnyPlace(deps: Deps, query: string, limit: number): Promise<readonly FoundPlace[]> {
  const trimmed = query.trim();
  if (trimmed === '') return [];
  const id = /plc_[0-9a-hjkmnp-tv-z]{26}/.exec(trimmed)?.[0];
  const open =
    id === undefined
      ? searchPlaces(deps, { text: trimmed, limit }).hits.map(({ place }) => place.placeId)
      : [id];
  const beginning = `${escapeLike(trimmed.toLowerCase())}%`;
  return deps.pool<FoundPlace[]>`
    select p.id, p.name, p.vertical, p.category, p.cuisine, p.city, p.country, p.address, p.lat, p.lng, p.badge, p.closed_at, p.removed_at, p.source
    from (
      select id, position from unnest(${open}::text[]) with ordinality as found (id, position)
      union all
      (select id, ${limit}::bigint + row_number() over (order by name) from place
        where closed_at is not null and ${id === undefined} and lower(name) like ${beginning}
        order by name limit ${CLOSED_MAX})
    ) found join place p on p.id = found.id
    order by found.position`;
}
