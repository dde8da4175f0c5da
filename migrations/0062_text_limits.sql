-- The longest texts of a place, from every source. Longer ones, which older imports took, are cut at a word.
create function pg_temp.cut_at_word(value text, longest integer) returns text language sql immutable as $$
  select case when char_length(value) <= longest then value
    else rtrim(coalesce(nullif(regexp_replace(left(value, longest), '\s\S*$', ''), ''), left(value, longest))) end
$$;

create function pg_temp.cut_claims(claims jsonb, longest integer) returns jsonb language sql immutable as $$
  select jsonb_agg(case when jsonb_typeof(c.claim -> 'value') = 'string'
    then jsonb_set(c.claim, '{value}', to_jsonb(pg_temp.cut_at_word(c.claim ->> 'value', longest))) else c.claim end
    order by c.number)
  from jsonb_array_elements(claims) with ordinality as c (claim, number)
$$;

update place set
  name = pg_temp.cut_at_word(name, 200),
  latin_name = pg_temp.cut_at_word(latin_name, 200),
  names = (select coalesce(jsonb_object_agg(n.key, pg_temp.cut_at_word(n.value, 200)), '{}') from jsonb_each_text(names) n),
  city = pg_temp.cut_at_word(city, 200),
  area = pg_temp.cut_at_word(area, 200),
  address = pg_temp.cut_at_word(address, 300),
  about = pg_temp.cut_at_word(about, 5000),
  words = words
    || case when words ? 'name' then jsonb_build_object('name', pg_temp.cut_claims(words -> 'name', 200)) else '{}' end
    || case when words ? 'city' then jsonb_build_object('city', pg_temp.cut_claims(words -> 'city', 200)) else '{}' end
    || case when words ? 'address' then jsonb_build_object('address', pg_temp.cut_claims(words -> 'address', 300)) else '{}' end
    || case when words ? 'about' then jsonb_build_object('about', pg_temp.cut_claims(words -> 'about', 5000)) else '{}' end
where char_length(name) > 200 or char_length(latin_name) > 200 or char_length(city) > 200 or char_length(area) > 200
  or char_length(address) > 300 or char_length(about) > 5000
  or jsonb_path_exists(names, '$.* ? (@ like_regex "^.{201}" flag "s")');

alter table place
  add constraint place_name_length check (char_length(name) <= 200),
  add constraint place_latin_name_length check (char_length(latin_name) <= 200),
  add constraint place_names_length check (not jsonb_path_exists(names, '$.* ? (@ like_regex "^.{201}" flag "s")')),
  add constraint place_city_length check (char_length(city) <= 200),
  add constraint place_area_length check (char_length(area) <= 200),
  add constraint place_address_length check (char_length(address) <= 300),
  add constraint place_about_length check (char_length(about) <= 5000);

-- A map that is no longer followed because one of its change files cannot be used. The row goes when the map is followed again.
create table map_watch_stop (
  -- The file, folder or address that was watched, without credentials.
  source      text primary key constraint map_watch_stop_source_length check (char_length(source) between 1 and 2000),
  file        text not null,
  reason      text not null constraint map_watch_stop_reason_length check (char_length(reason) between 1 and 2000),
  stopped_at  timestamptz not null
);
