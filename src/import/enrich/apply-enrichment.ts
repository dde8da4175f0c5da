import type { Db } from '../../core/postgres/db.ts';

// What the provider says, where it says anything; a claimed place keeps what its owner said.
const SAID = `
  select r.place_id, r.booking_platform,
    (r.said->>'rating')::numeric(2,1) as rating, (r.said->>'review_count')::integer as review_count,
    r.said->>'price_range' as price_range, nullif(r.said->'price_line', 'null') as price_line,
    r.said->>'website' as website, r.said->>'booking_url' as booking_url
  from enrich_row r where r.place_id is not null`;

// The fields that a map fills too are remembered: the next import of the map does not lose them, and a newer row of
// the provider replaces its own older one.
const REMEMBER = `
  insert into place_enrichment (place_id, website, booking_url, booking_platform, updated_at)
  select place_id, website, booking_url, booking_platform, $1 from (${SAID}) s
  where website is not null or booking_url is not null
  on conflict (place_id) do update
    set website = coalesce(excluded.website, place_enrichment.website),
      booking_url = coalesce(excluded.booking_url, place_enrichment.booking_url),
      booking_platform = case when excluded.booking_url is null
        then place_enrichment.booking_platform else excluded.booking_platform end,
      updated_at = excluded.updated_at`;

const APPLY = `
  with merged as (
    select p.id,
      coalesce(s.rating, p.rating) as rating,
      coalesce(s.review_count, p.review_count) as review_count,
      case when p.badge = 'claimed' or p.origins ? 'price_range' then coalesce(p.price_range, s.price_range)
        else coalesce(s.price_range, p.price_range) end as price_range,
      coalesce(s.price_line, p.price_line) as price_line,
      case when p.website is null or (p.website = e.website and p.badge <> 'claimed')
        then coalesce(s.website, p.website) else p.website end as website,
      case when takes then s.booking_url else p.booking_url end as booking_url,
      case when takes then s.booking_platform else p.booking_platform end as booking_platform,
      case when takes and s.booking_platform is not null and p.booking_method = 'phone'
        then 'venue_system' else p.booking_method end as booking_method
    from (${SAID}) s
    join place p on p.id = s.place_id
    left join place_enrichment e on e.place_id = p.id
    cross join lateral (select s.booking_url is not null and not p.chosen_by_venue
      and (p.booking_platform is null or p.booking_url is not distinct from e.booking_url) as takes) t)
  update place p set rating = m.rating, review_count = m.review_count, price_range = m.price_range,
    price_line = m.price_line, website = m.website, booking_url = m.booking_url,
    booking_platform = m.booking_platform, booking_method = m.booking_method, updated_at = $1
  from merged m
  where p.id = m.id and (p.rating, p.review_count, p.price_range, p.price_line, p.website, p.booking_url,
      p.booking_platform, p.booking_method)
    is distinct from (m.rating, m.review_count, m.price_range, m.price_line, m.website, m.booking_url,
      m.booking_platform, m.booking_method)`;

/** Writes what the matched rows say, and returns how many places changed by it. */
export async function applyEnrichment(tx: Db, now: Date): Promise<number> {
  const { count } = await tx.unsafe(APPLY, [now]);
  await tx.unsafe(REMEMBER, [now]);
  return count;
}
