import type { Db } from '../../../core/postgres/db.ts';

const REPEATED = 20;
const SAME_NAME = 4;

/** Verticals of sights. Two restaurants or hotels of one name are two businesses. */
const SIGHTS = ['attraction', 'beach', 'boat', 'event', 'market'];
const LODGING = ['hotel', 'hostel', 'guesthouse'];
/** Percent by which each further place of a kind stands lower, and the most. */
const VARIETY = { sights: { each: 2, most: 30 }, lodging: { each: 2, most: 50 } };
/** Kinds of very different places: the twentieth church of a country may be the oldest of its town. */
const MANIFOLD = ['attraction', 'place_of_worship'];
/** Degrees of latitude and longitude, about three kilometres. */
const NEAR = { lat: 0.03, lng: 0.045 };
/** Points for each further part of a sight, and the most. */
const PARTS = { each: 4, most: 16 };
/** The part of a name that says which part of the whole this is: "(Sector d'Encamp)", ": Sector Pal". */
const PART_OF_NAME = String.raw`\s*(\(|:| [-–] ).*$`;

/**
 * Lowers the prominence of places that would make a list repeat itself, so that it begins with different things.
 * Uses the table of name keys that the search for duplicates leaves.
 */
export async function demoteRepeated(tx: Db): Promise<void> {
  await demoteReferences(tx);
  await demoteNames(tx);
  await demoteParts(tx);
  await demoteKinds(tx);
}

/** All objects but the first that refer to one Wikidata item, such as the crypt of a cathedral. */
async function demoteReferences(tx: Db): Promise<void> {
  await tx`
    update import_draft d set prominence = greatest(0, d.prominence - ${REPEATED}::smallint)
    from (
      select seq, row_number() over (
        partition by destination_id, facts->>'wikidata' order by prominence desc, source_ref) as turn
      from import_draft
      where facts ? 'wikidata' and destination_id is not null and belongs_to is null and not disused) ranked
    where ranked.seq = d.seq and ranked.turn > 1`;
}

/** Sights that share a name with a better known one nearby, such as the signs in a valley. Nobody looks for these. */
async function demoteNames(tx: Db): Promise<void> {
  await tx`
    update import_draft d set prominence = d.prominence / ${SAME_NAME}::smallint
    from (
      select distinct lesser.seq
      from import_key a join import_key b using (key)
      join import_draft lesser on lesser.seq = a.seq
      join import_draft better on better.seq = b.seq
      where (better.prominence, better.seq) > (lesser.prominence, lesser.seq)
        and better.destination_id = lesser.destination_id
        and better.belongs_to is null and lesser.belongs_to is null
        and lesser.vertical = any(${SIGHTS}) and better.vertical = any(${SIGHTS})
        and abs(better.lat - lesser.lat) < ${NEAR.lat} and abs(better.lng - lesser.lng) < ${NEAR.lng}) repeated
    where repeated.seq = d.seq`;
}

/**
 * Lowers all parts of a sight but the first of each area, such as the sectors of a ski resort. The first of all stands
 * for the whole.
 */
async function demoteParts(tx: Db): Promise<void> {
  await tx`
    update import_draft d set prominence = case when ranked.turn = 1
      then least(100, d.prominence + least(${PARTS.most}, ${PARTS.each} * (ranked.parts - 1)))
      when ranked.turn_in_area = 1 then d.prominence
      else greatest(0, d.prominence - ${REPEATED}) end
    from (
      select seq, row_number() over (whole order by prominence desc, source_ref) as turn, count(*) over whole as parts,
        row_number() over (
          partition by destination_id, category, lower(regexp_replace(name, ${PART_OF_NAME}, '')), areas[cardinality(areas)]
          order by prominence desc, source_ref) as turn_in_area
      from import_draft
      where name ~ ${PART_OF_NAME} and vertical = any(${SIGHTS}) and not name_generated and not facts ? 'wikidata'
        and destination_id is not null and belongs_to is null and not disused
      window whole as (partition by destination_id, category, lower(regexp_replace(name, ${PART_OF_NAME}, '')))) ranked
    where ranked.seq = d.seq and ranked.parts > 1`;
}

/**
 * Sights of a kind that has many better known ones, so that a city is no list of museums, and hotels and resorts together,
 * so that their order among each other stays as it was.
 */
async function demoteKinds(tx: Db): Promise<void> {
  const { sights, lodging } = VARIETY;
  await tx`
    update import_draft d
    set prominence = d.prominence - d.prominence * case when d.vertical = any(${LODGING})
      then least(${lodging.most}, ${lodging.each} * (ranked.turn - 1))::int
      else least(${sights.most}, ${sights.each} * (ranked.turn - 1))::int end / 100
    from (
      select seq, row_number() over (
        partition by destination_id, case when vertical = any(${LODGING}) then vertical else category end
        order by prominence desc, source_ref) as turn
      from import_draft
      where vertical = any(${[...SIGHTS, ...LODGING]}) and category <> all(${MANIFOLD})
        and destination_id is not null and belongs_to is null and not disused) ranked
    where ranked.seq = d.seq and ranked.turn > 1`;
}
