import type { Db } from '../../core/postgres/db.ts';
import { speak, type Speech, type SpokenPlace } from '../../directory/word/speak.ts';
import { lockSpoken, writeSpoken } from '../../directory/word/stored-words.ts';

// What only a provider says of a place.
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

/**
 * Writes what the matched rows say, and returns how many places changed by it. What a row leaves out stands: providers
 * deliver what is new to them, and never the whole.
 */
export async function applyEnrichment(tx: Db, now: Date): Promise<number> {
  const changed = new Set((await tx.unsafe<{ id: string }[]>(RATE, [now])).map(({ id }) => id));
  const rows = await tx<Row[]>`
    select place_id, said->>'price_range' as price_range, said->>'website' as website, said->>'booking_url' as booking_url,
           booking_platform
    from enrich_row where place_id is not null and (said->>'price_range', said->>'website', said->>'booking_url') is distinct
      from (null, null, null) order by place_id`;
  for (let from = 0; from < rows.length; from += BATCH_PLACES) {
    const batch = new Map(rows.slice(from, from + BATCH_PLACES).map((row) => [row.place_id, row]));
    const places = await lockSpoken(tx, [...batch.keys()]);
    const spoken = places.map((place) => spokenOf(place, batch.get(place.id), now));
    for (const id of await writeSpoken(tx, now, spoken)) changed.add(id);
  }
  return changed.size;
}

function spokenOf(place: SpokenPlace, row: Row | undefined, now: Date): SpokenPlace {
  if (row === undefined) return place;
  const { price_range, website, booking_url, booking_platform } = row;
  const booking_method = booking_platform === null ? 'phone' : 'venue_system';
  const says: Speech['says'] = {
    ...(price_range === null ? {} : { price_range }),
    ...(website === null ? {} : { website }),
    ...(booking_url === null ? {} : { booking: { booking_method, booking_url, booking_platform } }),
  };
  const speaker = { by: 'provider', ref: 'provider', at: now.toISOString(), proof: 'published' } as const;
  return speak(place, { ...speaker, says });
}
