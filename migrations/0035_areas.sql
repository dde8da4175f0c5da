-- Areas as shapes: what lies in which part of a town, island or municipality is found out by position.
create table area (
  source     text not null constraint area_source_present check (source <> ''),
  source_ref text not null constraint area_source_ref_present check (source_ref <> ''),
  -- boundary, or what the source calls the settlement, such as suburb or island.
  kind       text not null constraint area_kind_present check (kind <> ''),
  -- How far down the administration a boundary stands: 8 is a municipality in most countries.
  level      smallint,
  name       text not null constraint area_name_present check (name <> ''),
  -- By language tag; names without a language stand under private tags, as with places.
  names      jsonb not null default '{}' constraint area_names_object check (jsonb_typeof(names) = 'object'),
  population integer,
  lat        double precision not null constraint area_lat_range check (lat between -90 and 90),
  lng        double precision not null constraint area_lng_range check (lng between -180 and 180),
  -- The extent of the shape in degrees. Over the date line it goes on beyond 180.
  west       double precision,
  south      double precision,
  east       double precision,
  north      double precision,
  -- The rings in ten-millionths of a degree (src/import/areas/shape.ts); null where only a point is known.
  shape      bytea,
  -- Nodes follow the names of areas by it, as they follow places.
  changed_by xid8 not null default pg_current_xact_id(),
  constraint area_source_unique primary key (source, source_ref),
  constraint area_extent_with_shape check ((shape is null) = (west is null) and (shape is null) = (south is null)
    and (shape is null) = (east is null) and (shape is null) = (north is null))
);
create index area_changes on area (changed_by);
create trigger area_marks_change before update on area for each row execute function mark_place_changed();
create trigger area_changed after insert or update or delete or truncate on area
  for each statement execute function notify_directory_changed();

-- A destination whose boundary is known has an outline in the same form; of the others the box counts.
alter table destination add column outline bytea;
