import type { Db } from '../../../core/postgres/db.ts';

// Values that this source filled before may be changed or removed by it; values of other sources are kept.
const FILL = `
  with said as (
    select p.id, d.source, to_char(coalesce(d.observed_at, $2) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      d.facts as says, d.cuisine as says_cuisine,
      (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p.facts) f
        where p.filled_by #>> array[f.key, 'ref'] is distinct from d.source) as held,
      (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p.filled_by) f
        where f.value->>'ref' <> d.source or f.key = 'position') as others,
      case when p.filled_by #>> '{cuisine,ref}' = d.source then '{}' else p.cuisine end as held_cuisine
    from import_draft d join place p on p.id = d.belongs_to and p.source <> d.source
    where d.contributes and not d.disused and p.closed_at is null
      and (d.facts <> '{}' or d.cuisine <> '{}' or p.filled_by <> '{}')),
  told as (
    select id, says || held as facts,
      case when held_cuisine = '{}' then says_cuisine else held_cuisine end as cuisine,
      others || coalesce((
        select jsonb_object_agg(key, jsonb_build_object('ref', source, 'at', at)) from (
          select key from jsonb_object_keys(says) key where not held ? key
          union all select 'cuisine' where held_cuisine = '{}' and says_cuisine <> '{}') filled_by), '{}') as filled_by
    from said)
  update place p set (facts, cuisine, filled_by, updated_at) = row (t.facts, t.cuisine, t.filled_by, $1)
  from told t where p.id = t.id and (p.facts, p.cuisine) is distinct from (t.facts, t.cuisine)
  returning p.id`;

// A place without a position gets that of the object, and moves with it.
const PLACE = `
  update place p set (lat, lng, destination_id, area, areas, regions, filled_by, updated_at) = row (
    d.lat, d.lng, d.destination_id, coalesce(p.area, d.area), case when p.areas = '{}' then d.areas else p.areas end, d.regions,
    p.filled_by || jsonb_build_object('position', jsonb_build_object('ref', d.source, 'at',
      to_char(coalesce(d.observed_at, $2) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), $1)
  from import_draft d
  where d.belongs_to = p.id and p.source <> d.source and d.contributes and not d.disused and p.closed_at is null
    and d.destination_id is not null and not p.field_claims ? 'lat' and (p.lat is null or p.filled_by #>> '{position,ref}' = d.source)
    and (p.lat, p.lng) is distinct from (d.lat, d.lng)
  returning p.id`;

/** Fills missing facts, cuisines and positions from a second source. Returns the ids of changed places. */
export async function fillMatched(tx: Db, asOf: Date, now: Date): Promise<string[]> {
  const rows: { id: string }[] = [];
  for (const statement of [FILL, PLACE])
    rows.push(...(await tx.unsafe<{ id: string }[]>(statement, [now, asOf])));
  return rows.map(({ id }) => id);
}
