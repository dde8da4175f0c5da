-- A question names an area: whether it has a boundary tells what may be said about what lies in it.
create index area_names on area (name);

-- States and provinces have holidays of their own: a place knows in which it lies, the largest first, in ISO 3166-2.
alter table area add column region text constraint area_region_code check (region ~ '^[A-Z]{2}-[A-Z0-9]{1,3}$');
alter table place add column regions text[] not null default '{}';

-- Facts and the kitchen that a second source filled, by field: who told it, and of when that is. All others are of the
-- source of the record.
alter table place add column filled jsonb not null default '{}'
  constraint place_filled_object check (jsonb_typeof(filled) = 'object');
