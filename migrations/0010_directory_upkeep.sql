-- What keeps the directory right as time passes and places move.

-- Hours with dates were worked out up to a day. The few that come to their end are found by it.
create index place_hours_until on place ((hours #>> '{compiled,until}'))
  where hours #>> '{compiled,until}' is not null;

-- A place that moves to another destination leaves the copies that others keep of the old one. It may move again, so
-- there is one row for each destination that it left.
alter table place_removed drop constraint place_removed_pkey;
alter table place_removed add constraint place_removed_pkey primary key (place_id, destination_id);
-- Serves the second half of a sync, which walks over what left one destination.
create index place_removed_feed on place_removed (destination_id, place_id);

create or replace function remember_removed_places() returns trigger language plpgsql as $$
begin
  insert into place_removed (place_id, destination_id, reason)
  select id, destination_id, 'removed' from gone
  on conflict (place_id, destination_id) do update
    set reason = excluded.reason, removed_at = now(), changed_by = pg_current_xact_id();
  return null;
end $$;

create function remember_moved_place() returns trigger language plpgsql as $$
begin
  insert into place_removed (place_id, destination_id, reason)
  values (old.id, old.destination_id, 'moved')
  on conflict (place_id, destination_id) do update
    set reason = excluded.reason, removed_at = now(), changed_by = pg_current_xact_id();
  return null;
end $$;
create trigger place_move_remembered after update of destination_id on place for each row
  when (old.destination_id <> new.destination_id) execute function remember_moved_place();
