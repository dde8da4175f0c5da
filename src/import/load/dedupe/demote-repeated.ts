import type { Db } from '../../../core/postgres/db.ts';

const REPEATED = 20;

/** Verticals of sights. Two restaurants or hotels of one name are two businesses. */
const SIGHTS = ['attraction', 'beach', 'boat', 'event', 'market'];
/** Each further sight of one kind stands one part in a hundred lower, up to this many. */
const VARIETY_MAX = 25;
/** Degrees of latitude and longitude, about three kilometres. */
const NEAR = { lat: 0.03, lng: 0.045 };

/**
 * Lowers the prominence of all objects but the first that refer to one Wikidata item, such as the crypt of a cathedral,
 * and of sights that share a name with a better known one nearby, so that a list does not begin with the same sight
 * twice. Also lowers sights of a kind that has many better known ones, so that it is not a list of museums. Uses the
 * table of name keys that the search for duplicates leaves.
 */
export async function demoteRepeated(tx: Db): Promise<void> {
  await tx`
    update import_draft d set prominence = greatest(0, d.prominence - ${REPEATED}::smallint)
    from (
      select seq, row_number() over (
        partition by destination_id, facts->>'wikidata' order by prominence desc, source_ref) as turn
      from import_draft
      where facts ? 'wikidata' and destination_id is not null and belongs_to is null and not disused) ranked
    where ranked.seq = d.seq and ranked.turn > 1`;
  await tx`
    update import_draft d set prominence = greatest(0, d.prominence - ${REPEATED}::smallint)
    from (
      select distinct lesser.seq
      from import_key a join import_key b using (key)
      join import_draft lesser on lesser.seq = a.seq
      join import_draft better on better.seq = b.seq
      where (better.prominence, better.seq) > (lesser.prominence, lesser.seq)
        and better.destination_id = lesser.destination_id
        and better.belongs_to is null and lesser.belongs_to is null
        and lesser.vertical = any(${SIGHTS}) and better.vertical = any(${SIGHTS})
        and abs(better.lat - lesser.lat) < ${NEAR.lat} and abs(better.lng - lesser.lng) < ${NEAR.lng}
        and not coalesce(lesser.facts->>'wikidata' = better.facts->>'wikidata', false)) repeated
    where repeated.seq = d.seq`;
  await tx`
    update import_draft d
    set prominence = d.prominence - d.prominence * least(${VARIETY_MAX}, ranked.turn - 1)::int / 100
    from (
      select seq, row_number() over (
        partition by destination_id, category order by prominence desc, source_ref) as turn
      from import_draft
      where vertical = any(${SIGHTS}) and destination_id is not null and belongs_to is null and not disused) ranked
    where ranked.seq = d.seq and ranked.turn > 1`;
}
