-- Objects of a source that are a place which the directory holds already under another reference: the building around a
-- restaurant that is mapped as a point too, or the row of a second source. A reference is never a place of its own as well.
create table place_reference (
  source     text not null,
  source_ref text not null,
  place_id   text not null constraint place_reference_place_exists references place on delete cascade,
  -- Of when the last file was that held the object, by the source's own date; null where it tells none.
  held_at    timestamptz,
  -- Whether what a second source says of the object is its word about the place.
  speaks     boolean not null default false,
  constraint place_reference_once primary key (source, source_ref)
);
create index place_references on place_reference (place_id);

-- When the directory learned of a closure, beside the day that the evidence is of: whoever follows the list of closures
-- asks for what is new to it.
alter table closure_evidence add column noted_at timestamptz not null default now();
update closure_evidence set noted_at = observed_at;
create index closure_evidence_news on closure_evidence (noted_at desc, place_id);
create index closure_ended_news on closure_ended (ended_at desc, place_id);

-- What an import merged is a reference now. Only what a person merged is left out of later files.
insert into place_reference (source, source_ref, place_id)
select source, source_ref, place_id from place_merged where merged_by is null;
alter table place_merged drop constraint place_merged_source_unique;
create index place_merged_sources on place_merged (source, source_ref);
