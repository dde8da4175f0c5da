-- What imports remember, so that the next one can tell a closed place from one that its file never covered.

-- A stretch of the world as one file delivered it. A later file that holds most of its places covers it again.
create table import_area (
  id           bigint generated always as identity primary key,
  source       text not null,
  extracted_at timestamptz,
  imported_at  timestamptz not null
);

-- The area that first delivered a place. It stands beside the place, so that noting it is no change of the place.
create table import_area_place (
  place_id text primary key constraint import_area_place_exists references place on delete cascade,
  area_id  bigint not null constraint import_area_place_area_exists references import_area
);
create index import_area_places on import_area_place (area_id);

-- What a web-mapping provider added, for the fields that a map fills too: the map wins, and this stands in for it.
create table place_enrichment (
  place_id         text primary key constraint place_enrichment_place_exists references place on delete cascade,
  website          text,
  booking_url      text,
  booking_platform text,
  updated_at       timestamptz not null
);
