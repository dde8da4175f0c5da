import type { Db } from '../../core/postgres/db.ts';
import {
  applyFieldClaims,
  type ClaimSet,
  type PlaceWithClaims,
} from '../../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../directory/provenance/stored-claims.ts';

// Fields that only a provider supplies.
const RATE = `
  update place p set rating = coalesce(s.rating, p.rating), review_count = coalesce(s.review_count, p.review_count),
    price_line = coalesce(s.price_line, p.price_line), updated_at = $1
  from (select place_id, (said->>'rating')::numeric(2,1) as rating, (said->>'review_count')::integer as review_count,
      nullif(said->'price_line', 'null') as price_line
    from enrich_row where place_id is not null) s
  where p.id = s.place_id and (p.rating, p.review_count, p.price_line) is distinct from
    (coalesce(s.rating, p.rating), coalesce(s.review_count, p.review_count), coalesce(s.price_line, p.price_line))
  returning p.id`;

const BATCH_PLACES = 1_000;

interface Row {
  place_id: string;
  price_range: string | null;
  website: string | null;
  booking_url: string | null;
  booking_platform: string | null;
}

/** Writes the data of the matched rows, clears nothing, and returns the number of places that changed. */
export async function applyEnrichment(tx: Db, now: Date): Promise<number> {
  const changed = new Set((await tx.unsafe<{ id: string }[]>(RATE, [now])).map(({ id }) => id));
  const rows = await tx<Row[]>`
    select place_id, said->>'price_range' as price_range, said->>'website' as website, said->>'booking_url' as booking_url,
           booking_platform
    from enrich_row where place_id is not null and (said->>'price_range', said->>'website', said->>'booking_url') is distinct
      from (null, null, null) order by place_id`;
  for (let from = 0; from < rows.length; from += BATCH_PLACES) {
    const batch = new Map(rows.slice(from, from + BATCH_PLACES).map((row) => [row.place_id, row]));
    const places = await lockPlaceClaims(tx, [...batch.keys()]);
    const updated = places.map((place) => withClaims(place, batch.get(place.id), now));
    for (const id of await writePlaceClaims(tx, now, updated)) changed.add(id);
  }
  return changed.size;
}

function withClaims(place: PlaceWithClaims, row: Row | undefined, now: Date): PlaceWithClaims {
  if (row === undefined) return place;
  const { price_range, website, booking_url, booking_platform } = row;
  const booking_method = booking_platform === null ? 'phone' : 'venue_system';
  const values: ClaimSet['values'] = {
    ...(price_range === null ? {} : { price_range }),
    ...(website === null ? {} : { website }),
    ...(booking_url === null ? {} : { booking: { booking_method, booking_url, booking_platform } }),
  };
  const provenance = { by: 'provider', ref: 'provider', at: now.toISOString(), proof: 'published' } as const;
  return applyFieldClaims(place, { ...provenance, values });
}
