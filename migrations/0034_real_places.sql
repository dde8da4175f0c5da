-- What a map knows of a place beyond its address, and how old that is.
alter table place
  -- The areas that the place lies in, by name: the smallest first, up to the city or island.
  add column areas       text[] not null default '{}',
  -- What travellers ask for, as the source of the place says it: src/directory/place/facts.ts names the members.
  add column facts       jsonb not null default '{}' constraint place_facts_object check (jsonb_typeof(facts) = 'object'),
  -- How much there is to see, from what the source knows, beside ratings.
  add column prominence  smallint not null default 0 constraint place_prominence_range check (prominence between 0 and 100),
  -- The source's own date: of its last edit, or else of the extract. Never the clock of the import.
  add column observed_at timestamptz;
