-- The position is decided by claims, as other fields are: latitude and longitude each have theirs, always together.
create or replace function field_claims_known(claims jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(claims) = 'object' and not exists (
    select from jsonb_each(claims) f cross join lateral jsonb_array_elements(f.value) w
    where f.key not in ('name','kind','city','address','lat','lng','phone','email','website','about','languages',
                        'price_range','hours','booking')
      or w->>'by' not in ('map','provider','agent','reviewer','owner') or not w ?& array['ref','at','proof','value'])
$$;

-- Programs that do not know these claims write the position of the map. The first claim is shown all the same.
create function show_first_position() returns trigger language plpgsql as $$
begin
  new.lat := (new.field_claims #>> '{lat,0,value}')::float8;
  new.lng := (new.field_claims #>> '{lng,0,value}')::float8;
  return new;
end $$;
create trigger place_position_of_first_claim before insert or update of lat, lng, field_claims on place
  for each row when (new.field_claims ? 'lat' and new.field_claims ? 'lng') execute function show_first_position();

-- No place has such claims yet, so that the rows need not be read.
alter table place
  add constraint place_shows_first_position check (field_claims = '{}' or (
    field_claims ? 'lat' = field_claims ? 'lng' and (not field_claims ? 'lat' or (
      (field_claims #>> '{lat,0,value}')::float8 is not distinct from lat
      and (field_claims #>> '{lng,0,value}')::float8 is not distinct from lng)))) not valid;

alter table venue_edit drop constraint venue_edit_part_known;
alter table venue_edit add constraint venue_edit_part_known
  check (part in ('hours','menu','about','booking','photo','contacts','position'));

-- Positions that venues asked for and that staff look at first, because they are far from the published one.
create table venue_move (
  id         bigint generated always as identity primary key,
  place_id   text not null constraint venue_move_place_exists references place on delete cascade,
  -- The position that was shown when the venue asked. Null: none.
  from_lat   double precision,
  from_lng   double precision,
  lat        double precision not null constraint venue_move_lat_range check (lat between -90 and 90),
  lng        double precision not null constraint venue_move_lng_range check (lng between -180 and 180),
  asked_at   timestamptz not null,
  -- withdrawn: the venue moved the pin again, or took the request back.
  state      text not null default 'waiting'
               constraint venue_move_state_known check (state in ('waiting','approved','rejected','withdrawn')),
  decided_by text constraint venue_move_decided_by_staff references staff,
  decided_at timestamptz,
  -- Text for the venue, when it is rejected.
  reason     text constraint venue_move_reason_length check (char_length(reason) between 1 and 500),
  constraint venue_move_from_whole check ((from_lat is null) = (from_lng is null)),
  constraint venue_move_decision_whole check (
    (state in ('approved','rejected')) = (decided_by is not null) and (state = 'waiting') = (decided_at is null)
    and (reason is null or state = 'rejected'))
);
create unique index venue_move_one_waiting on venue_move (place_id) where state = 'waiting';
create index venue_move_by_place on venue_move (place_id, id desc);
create trigger venue_move_shown after insert or update of state on venue_move
  for each row execute function notify_shown_data('''positions'', $1.place_id');
