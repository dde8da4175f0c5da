import type { Db } from '../../core/postgres/db.ts';
import { applyDraftClaims } from './draft-claims.ts';

// Compiled hours cover 400 days ahead. They are recompiled when less than half of that is left.
const HOURS_AHEAD_DAYS_MIN = 200;

/** SQL for the new value of each column that a map fills, from the place p and its draft d; $1 is now. */
const MERGED: Readonly<Record<string, string>> = {
  destination_id: 'd.destination_id',
  name: 'd.name',
  name_generated: 'd.name_generated',
  names: 'd.names',
  latin_name: 'd.latin_name',
  vertical: 'd.vertical',
  category: 'd.category',
  categories: 'd.categories',
  cuisine: `case when d.cuisine = '{}' and p.filled_by ? 'cuisine' then p.cuisine else d.cuisine end`,
  country: 'd.country',
  city: 'd.city',
  area: 'd.area',
  address: 'd.address',
  lat: 'd.lat',
  lng: 'd.lng',
  phone: 'd.phone',
  email: 'd.email',
  website: 'd.website',
  languages: 'd.languages',
  // Hours with the same text and date keep their compiled form, so that repeating an import changes nothing.
  hours: `case
    when p.hours - 'compiled' = d.hours - 'compiled' and p.hours->>'compiled' is not null
      and p.destination_id = d.destination_id and p.regions = d.regions
      and coalesce((p.hours->'compiled'->>'until')::date > $1::timestamptz + interval '${HOURS_AHEAD_DAYS_MIN} days', true)
    then p.hours else d.hours end`,
  booking_method: `case
    when p.chosen_by_venue or p.booking_method in ('request', 'not_through') then p.booking_method
    when d.booking_platform is not null then 'venue_system' else 'phone' end`,
  booking_url: 'd.booking_url',
  booking_platform: 'd.booking_platform',
  verified_at: 'greatest(p.verified_at, d.verified_at)',
  areas: 'd.areas',
  regions: 'd.regions',
  // Values filled by a second source are kept until this source supplies them too.
  facts: `case when p.filled_by = '{}' then d.facts else coalesce((
    select jsonb_object_agg(f.key, f.value) from jsonb_each(p.facts) f where p.filled_by ? f.key), '{}') || d.facts end`,
  filled_by: `case when p.filled_by = '{}' then p.filled_by else
    p.filled_by - array(select jsonb_object_keys(d.facts)) - case when d.cuisine = '{}' then '' else 'cuisine' end end`,
  prominence: 'd.prominence',
  observed_at: 'd.observed_at',
  field_claims: 'd.field_claims',
};

const COLUMNS = Object.keys(MERGED);
const list = (prefix: string) => COLUMNS.map((column) => `${prefix}.${column}`).join(', ');

const UPDATE = `
  with merged as (
    select p.id, d.field_claims_read, ${COLUMNS.map((column) => `${MERGED[column] ?? ''} as ${column}`).join(',\n      ')}
    from place p
    join import_draft d on d.source = p.source and d.source_ref = p.source_ref
    where d.destination_id is not null and not d.disused)
  update place p set (${COLUMNS.join(', ')}, updated_at) = row (${list('m')}, $1)
  from merged m
  where p.id = m.id and p.field_claims = m.field_claims_read and (${list('p')}) is distinct from (${list('m')})`;

const NOT_DRAFTED = ['booking_method', 'field_claims', 'filled_by'];
const DRAFTED = COLUMNS.filter((column) => !NOT_DRAFTED.includes(column)).join(', ');

/** SQL that inserts the drafts of new places, which have no claims of other sources. */
const INSERT = `
  insert into place (id, source, source_ref, created_at, updated_at, booking_method, ${DRAFTED})
  select d.id, d.source, d.source_ref, $1, $1,
    case when d.booking_platform is null then 'phone' else 'venue_system' end,
    ${DRAFTED}
  from import_draft d
  where d.destination_id is not null and not d.disused and d.belongs_to is null
    and not exists (select 1 from place p where p.source = d.source and p.source_ref = d.source_ref)`;

const ACCOLADES = `
  insert into accolade (place_id, title, year, source_name, source_url)
  select p.id, a.title, a.year, a.source_name, a.source_url
  from import_draft d
  join place p on p.source = d.source and p.source_ref = d.source_ref
  cross join lateral jsonb_to_recordset(d.accolades) as a (title text, year integer, source_name text, source_url text)
  where d.accolades <> '[]' and a.title <> ''
  on conflict (place_id, title) do update
    set year = excluded.year, source_name = excluded.source_name, source_url = excluded.source_url
    where (accolade.year, accolade.source_name, accolade.source_url)
      is distinct from (excluded.year, excluded.source_name, excluded.source_url)`;

/** Merges the staged drafts into the directory. Places without changes are not written. */
export async function mergeDrafts(
  tx: Db,
  now: Date,
): Promise<{ added: number; updated: number; unchanged: number }> {
  await applyDraftClaims(tx);
  const { count: updated } = await tx.unsafe(UPDATE, [now]);
  const { count: added } = await tx.unsafe(INSERT, [now]);
  await tx.unsafe(ACCOLADES);
  const [drafts] = await tx<{ count: number }[]>`
    select count(*)::int as count from import_draft
    where destination_id is not null and not disused and belongs_to is null`;
  return { added, updated, unchanged: (drafts?.count ?? 0) - added - updated };
}
