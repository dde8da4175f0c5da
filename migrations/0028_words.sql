-- Every value knows who said it. What everybody says of a field stands in words, that first which is shown, as
-- {field: [{by, ref, at, proof, value}]}. A field that only the source of the record fills has no entry.
alter table place add column words jsonb not null default '{}';

create function place_word_value(word jsonb, field text) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'by', case when word->>'origin' like 'owner%' then 'owner' else 'agent' end,
    'ref', case when word->>'origin' = 'owner' then 'venue' else regexp_replace(word->>'origin', '^owner:', '') end,
    'at', word->'at',
    'proof', case when word->>'origin' = 'owner' then 'claim'
                  when word->>'origin' like 'owner:%' then 'acts:' || coalesce(word->>'agent', '')
                  else 'reviewed:' || coalesce(word->>'reviewer', '') end,
    'value', word->'value')
$$;

-- What stands with an origin, what was published beside it, what a provider delivered, what a venue chose, and what stood
-- in the map before the venue wrote its own hours.
with moment as (
  select id, to_char(coalesce(verified_at, updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from place
  where origins <> '{}' or published <> '{}' or chosen_by_venue or price_range is not null
    or exists (select from place_enrichment e where e.place_id = place.id)
), said as (
  select p.id, o.key as field, 0 as rank, place_word_value(jsonb_build_object('origin', o.value, 'at', m.at,
      'agent', s.agent_id, 'reviewer', (select d.decided_by from submission_decision d
        where d.submission_id = s.id and d.decision = 'approved' order by d.revision desc limit 1),
      'value', to_jsonb(p)->o.key), o.key) as word
  from place p join moment m on m.id = p.id
  cross join lateral jsonb_each_text(p.origins) o
  left join submission s on s.id = regexp_replace(o.value, '^owner:', '')
  where o.key in ('name','address','phone','email','website','about','languages','price_range','hours')
    and coalesce(to_jsonb(p)->o.key, 'null') not in ('null', '[]')
  union all
  select p.id, 'booking', 0, jsonb_build_object('by', 'owner', 'ref', 'venue', 'at', m.at, 'proof', 'claim', 'value',
    jsonb_build_object('booking_method', p.booking_method, 'booking_url', p.booking_url, 'booking_platform', p.booking_platform))
  from place p join moment m on m.id = p.id where p.chosen_by_venue
  union all
  select p.id, o.key, 1, jsonb_build_object('by', 'map', 'ref', p.source, 'at', m.at, 'proof', 'published', 'value', o.value)
  from place p join moment m on m.id = p.id cross join lateral jsonb_each(p.published) o
  union all
  select p.id, h.part, 1, jsonb_build_object('by', case when h.origin is null then 'map' else 'agent' end,
    'ref', coalesce(h.origin, p.source), 'at', coalesce(h.value->>'observed_at', m.at),
    'proof', case when h.origin is null then 'published' else 'reviewed:' end, 'value', h.value)
  from place p join moment m on m.id = p.id
  cross join lateral (
    select distinct on (e.part) e.part, e.before->'value' as value, e.before->>'origin' as origin
    from venue_edit e where e.place_id = p.id and e.part in ('hours', 'about') and e.undone_at is null
      and coalesce(e.before->'value', 'null') <> 'null' and coalesce(e.before->>'origin', '') not like 'owner%'
    order by e.part, e.id desc) h
  where p.origins->>h.part = 'owner'
  union all
  select p.id, 'website', 2, jsonb_build_object('by', 'provider', 'ref', 'provider', 'at', m.at, 'proof', 'published',
    'value', e.website)
  from place_enrichment e join place p on p.id = e.place_id join moment m on m.id = p.id
  where e.website is not null
  union all
  select p.id, 'price_range', 2, jsonb_build_object('by', 'provider', 'ref', 'provider', 'at', m.at, 'proof', 'published',
    'value', p.price_range)
  from place p join moment m on m.id = p.id
  where p.price_range is not null and not p.origins ? 'price_range' and p.source not in ('demo', 'submission')
  union all
  select p.id, 'website', 1, jsonb_build_object('by', 'map', 'ref', p.source, 'at', m.at, 'proof', 'published',
    'value', p.website)
  from place_enrichment e join place p on p.id = e.place_id join moment m on m.id = p.id
  where e.website is not null and p.website <> e.website and not p.origins ? 'website'
  union all
  select p.id, 'booking', 2, jsonb_build_object('by', 'provider', 'ref', 'provider', 'at', m.at, 'proof', 'published',
    'value', jsonb_build_object('booking_method', case when e.booking_platform is null then 'phone' else 'venue_system' end,
      'booking_url', e.booking_url, 'booking_platform', e.booking_platform))
  from place_enrichment e join place p on p.id = e.place_id join moment m on m.id = p.id
  where e.booking_url is not null
  union all
  select p.id, 'booking', 1, jsonb_build_object('by', 'map', 'ref', p.source, 'at', m.at, 'proof', 'published',
    'value', jsonb_build_object('booking_method', p.booking_method, 'booking_url', p.booking_url,
      'booking_platform', p.booking_platform))
  from place_enrichment e join place p on p.id = e.place_id join moment m on m.id = p.id
  where e.booking_url is not null and not p.chosen_by_venue and p.booking_url is distinct from e.booking_url
), fields as (
  select id, field, jsonb_agg(word order by rank) as words from said group by id, field
), places as (
  select id, jsonb_object_agg(field, words) as words from fields group by id
)
update place p set words = w.words from places w where p.id = w.id;

-- What the older rules left beside each other: the first word is what is shown from now on.
update place set website = words #>> '{website,0,value}'
  where words ? 'website' and website is distinct from words #>> '{website,0,value}';
update place set booking_method = words #>> '{booking,0,value,booking_method}',
    booking_url = words #>> '{booking,0,value,booking_url}', booking_platform = words #>> '{booking,0,value,booking_platform}'
  where words ? 'booking' and (booking_method, booking_url, booking_platform) is distinct from
    (words #>> '{booking,0,value,booking_method}', words #>> '{booking,0,value,booking_url}', words #>> '{booking,0,value,booking_platform}');

drop function place_word_value;
drop table place_enrichment;
alter table place drop column origins, drop column published;

create function place_words_known(words jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(words) = 'object' and not exists (
    select from jsonb_each(words) f cross join lateral jsonb_array_elements(f.value) w
    where f.key not in ('name','kind','city','address','phone','email','website','about','languages','price_range',
                        'hours','booking')
      or w->>'by' not in ('map','provider','agent','reviewer','owner') or not w ?& array['ref','at','proof','value'])
$$;
alter table place add constraint place_words_known check (words = '{}' or place_words_known(words));
-- What is shown is the first word about it.
alter table place add constraint place_shows_first_word check (words = '{}' or (
  (not words ? 'name' or words #>> '{name,0,value}' = name)
  and (not words ? 'address' or words #>> '{address,0,value}' is not distinct from address)
  and (not words ? 'phone' or words #>> '{phone,0,value}' is not distinct from phone)
  and (not words ? 'email' or words #>> '{email,0,value}' is not distinct from email)
  and (not words ? 'website' or words #>> '{website,0,value}' is not distinct from website)
  and (not words ? 'about' or words #>> '{about,0,value}' is not distinct from about)
  and (not words ? 'hours' or words #>> '{hours,0,value,text}' is not distinct from hours->>'text')
  and (not words ? 'booking' or words #>> '{booking,0,value,booking_method}' = booking_method)));

-- An import looks for the few of its places that are claimed or of which others have spoken.
create index place_spoken on place (source, source_ref) where words <> '{}' or badge = 'claimed';

alter table venue_edit drop constraint venue_edit_part_known;
alter table venue_edit add constraint venue_edit_part_known
  check (part in ('hours','menu','about','booking','photo','contacts'));
