-- An import merges two records of one place as well, where the map held the place twice and now holds it once.
alter table place_merged alter column merged_by drop not null;

-- Characters that nobody sees and that programs read are no longer taken in (core/visible-text.ts). This takes them out
-- of what was stored before: all but joiners and selectors, of which the first of a row stays.
create or replace function pg_temp.visible(stored text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(regexp_replace(translate(stored, U&'\2028\2029\2800', '   '),
    '[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\U000E0000-\U000E00FF\U000E01F0-\U000E0FFF]',
    '', 'g'),
    '([\u200C\u200D])[\u200C\u200D]+', '\1', 'g'),
    '([\uFE00-\uFE0F\U000E0100-\U000E01EF])[\uFE00-\uFE0F\U000E0100-\U000E01EF]+', '\1', 'g')
$$;

-- A name without anything to see becomes the kind of the place.
update place set
  name = coalesce(nullif(btrim(pg_temp.visible(name)), ''), category), names = pg_temp.visible(names::text)::jsonb,
  latin_name = pg_temp.visible(latin_name), about = pg_temp.visible(about), address = pg_temp.visible(address),
  city = pg_temp.visible(city), area = pg_temp.visible(area), price_range = pg_temp.visible(price_range),
  price_line = pg_temp.visible(price_line::text)::jsonb, hours = pg_temp.visible(hours::text)::jsonb
from (
  select id, concat_ws(' ', name, names, latin_name, about, address, city, area, price_range, price_line, hours->>'text') as texts
  from place) told
where told.id = place.id
  -- Most texts are plain ASCII, which this tells without reading them.
  and octet_length(told.texts) > char_length(told.texts) and told.texts <> pg_temp.visible(told.texts);

update destination set name = pg_temp.visible(name), other_names = pg_temp.visible(other_names::text)::text[]
where concat_ws(' ', name, other_names) <> pg_temp.visible(concat_ws(' ', name, other_names)) and pg_temp.visible(name) <> '';
update menu set sections = pg_temp.visible(sections::text)::jsonb where sections::text <> pg_temp.visible(sections::text);
update photo set caption = pg_temp.visible(caption) where caption <> pg_temp.visible(caption);
update member set display_name = pg_temp.visible(display_name)
where display_name <> pg_temp.visible(display_name) and pg_temp.visible(display_name) <> '';
update agent set agent_name = pg_temp.visible(agent_name), operator_name = pg_temp.visible(operator_name)
where (agent_name, operator_name) <> (pg_temp.visible(agent_name), pg_temp.visible(operator_name))
  and least(char_length(pg_temp.visible(agent_name)), char_length(pg_temp.visible(operator_name))) >= 2;
update partner set name = pg_temp.visible(name)
where name <> pg_temp.visible(name) and char_length(pg_temp.visible(name)) >= 2;

-- What was submitted is kept as it was said; what nobody could see of it was not said. It may be waiting for a reviewer.
alter table submission_revision disable trigger submission_revision_append_only;
update submission_revision set content = pg_temp.visible(content::text)::jsonb
where content::text <> pg_temp.visible(content::text);
alter table submission_revision enable trigger submission_revision_append_only;
