-- The directory: destinations, the places in them, and what is known about each place.

create table destination (
  id          text primary key constraint destination_id_form check (id ~ '^dst_[0-9a-hjkmnp-tv-z]{26}$'),
  slug        text not null constraint destination_slug_unique unique
                constraint destination_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name        text not null constraint destination_name_present check (name <> ''),
  other_names text[] not null default '{}',
  areas       text[] not null default '{}',
  country     text not null constraint destination_country_iso2 check (country ~ '^[A-Z]{2}$'),
  timezone    text not null constraint destination_timezone_present check (timezone <> ''),
  lat         double precision not null constraint destination_lat_range check (lat between -90 and 90),
  lng         double precision not null constraint destination_lng_range check (lng between -180 and 180),
  -- The extent in degrees. West may be greater than east: then it crosses the date line.
  west        double precision not null constraint destination_west_range check (west between -180 and 180),
  south       double precision not null,
  east        double precision not null constraint destination_east_range check (east between -180 and 180),
  north       double precision not null,
  created_at  timestamptz not null default now(),
  constraint destination_extent_order check (south between -90 and 90 and north between -90 and 90 and south < north)
);

create table place (
  id              text primary key constraint place_id_form check (id ~ '^plc_[0-9a-hjkmnp-tv-z]{26}$'),
  destination_id  text not null constraint place_destination_exists references destination,
  name            text not null constraint place_name_present check (name <> ''),
  names           jsonb not null default '{}',
  -- The name in Latin letters, where it is written in others.
  latin_name      text,
  vertical        text not null constraint place_vertical_known check (vertical in (
                    'restaurant','cafe','bar','hotel','guesthouse','hostel','spa','massage','boat','tour','market','shop',
                    'transport','taxi','event','clinic','salon','gym','beach','attraction','nightclub','other')),
  category        text not null,
  -- Everything else that the place is, besides its vertical and category.
  categories      text[] not null default '{}',
  cuisine         text[] not null default '{}',
  country         text not null constraint place_country_iso2 check (country ~ '^[A-Z]{2}$'),
  city            text,
  area            text,
  address         text,
  lat             double precision not null constraint place_lat_range check (lat between -90 and 90),
  lng             double precision not null constraint place_lng_range check (lng between -180 and 180),
  -- Never completed by guess: a number is held in E.164 form or not at all.
  phone           text constraint place_phone_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  email           text,
  website         text constraint place_website_http check (website ~* '^https?://'),
  languages       text[] not null default '{}',
  price_range     text,
  -- {text, read_at, source_url}: a price line that was read where the venue publishes it.
  price_line      jsonb,
  about           text,
  badge           text not null default 'mapped' constraint place_badge_known check (badge in ('mapped','claimed')),
  rating          numeric(2,1) constraint place_rating_range check (rating between 0 and 5),
  review_count    integer not null default 0 constraint place_review_count_range check (review_count >= 0),
  -- {text, source, observed_at, compiled}: compiled once, so that "open now" is arithmetic.
  hours           jsonb,
  booking_method  text not null default 'phone' constraint place_booking_method_known
                    check (booking_method in ('request','venue_system','phone','not_through')),
  booking_url     text constraint place_booking_url_http check (booking_url ~* '^https?://'),
  booking_platform text,
  chosen_by_venue boolean not null default false,
  -- Set while the place is believed closed; the evidence stands in closure_evidence.
  closed_at       timestamptz,
  -- The last time a person or a source check confirmed that the place is real.
  verified_at     timestamptz,
  source          text not null constraint place_source_present check (source <> ''),
  source_ref      text not null constraint place_source_ref_present check (source_ref <> ''),
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  -- The transaction that wrote the row last. Nodes follow the directory by it: unlike a sequence number, it cannot
  -- become visible behind one that a reader has already passed.
  changed_by      xid8 not null default pg_current_xact_id(),
  constraint place_source_unique unique (source, source_ref),
  constraint place_venue_system_has_url check (booking_method <> 'venue_system' or booking_url is not null)
);

-- Serves the counts per destination without touching the table.
create index place_changes on place (changed_by);
create index place_feed on place (destination_id, id);

create function mark_place_changed() returns trigger language plpgsql as $$
begin
  new.changed_by := pg_current_xact_id();
  return new;
end $$;
create trigger place_marks_change before update on place for each row execute function mark_place_changed();

-- What was taken out of the directory for good, such as the lesser of two merged records.
create table place_removed (
  place_id       text primary key,
  destination_id text not null constraint place_removed_destination_exists references destination,
  reason         text not null,
  removed_at     timestamptz not null default now(),
  changed_by     xid8 not null default pg_current_xact_id()
);
create index place_removed_changes on place_removed (changed_by);

create function remember_removed_places() returns trigger language plpgsql as $$
begin
  insert into place_removed (place_id, destination_id, reason)
  select id, destination_id, 'removed' from gone
  on conflict (place_id) do update set removed_at = now(), changed_by = pg_current_xact_id();
  return null;
end $$;
create trigger place_removal_remembered after delete on place referencing old table as gone
  for each statement execute function remember_removed_places();

create index place_counts on place (destination_id, verified_at) where closed_at is null;

create table closure_evidence (
  place_id    text not null constraint closure_evidence_place_exists references place on delete cascade,
  kind        text not null constraint closure_evidence_kind_known
                check (kind in ('website_dead','published_report','venue_said')),
  source_url  text,
  note        text not null,
  observed_at timestamptz not null,
  primary key (place_id, kind, observed_at),
  constraint closure_evidence_report_has_source check (kind <> 'published_report' or source_url is not null)
);

create table menu (
  place_id   text primary key constraint menu_place_exists references place on delete cascade,
  currency   text not null constraint menu_currency_iso check (currency ~ '^[A-Z]{3}$'),
  -- [{name, items: [{name, description, price}]}] in the venue's own order; prices as the venue wrote them.
  sections   jsonb not null constraint menu_sections_list check (jsonb_typeof(sections) = 'array'),
  updated_at timestamptz not null default now()
);

create table accolade (
  place_id    text not null constraint accolade_place_exists references place on delete cascade,
  title       text not null,
  year        integer,
  source_name text not null,
  source_url  text not null constraint accolade_has_source check (source_url ~* '^https?://'),
  primary key (place_id, title)
);

-- Every node holds a snapshot of what it serves. This wakes them when the directory changed.
create function notify_directory_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('directory_changed', '');
  return null;
end $$;

create trigger destination_changed after insert or update or delete or truncate on destination
  for each statement execute function notify_directory_changed();
create trigger place_changed after insert or update or delete or truncate on place
  for each statement execute function notify_directory_changed();
