-- Places whose source has no name, such as toilets: the name is the brand, the operator, or kind and area.
alter table place add column name_generated boolean not null default false;
alter table place add constraint place_generated_name_unclaimed
  check (not (name_generated and field_claims ? 'name'));
