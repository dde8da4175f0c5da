-- A table may be requested for any time of a window on one day: from "time" until time_until, both included. The venue's
-- yes names one time.
alter table booking
  add column time_until text
    constraint booking_time_until_form check (time_until ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- The time of the window that is requested from the venue's own system, so that every attempt requests the same.
  add column slot_time text constraint booking_slot_time_form check (slot_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  add constraint booking_window_span check (
    time_until::time - time::time between interval '15 minutes' and interval '4 hours'),
  -- Also a confirmed table that is held during a change.
  add constraint booking_confirmed_at_one_time check (time_until is null or (status <> 'confirmed' and held is null));

-- The previous release knows no windows: its confirmations are for the first time, and its changes have one time.
create function end_booking_window() returns trigger language plpgsql as $$
begin
  if new.status = 'confirmed'
    or (new.time_until is not distinct from old.time_until and (new.date, new.time) <> (old.date, old.time)) then
    new.time_until := null;
  end if;
  return new;
end $$;
create trigger booking_window_ends before update on booking
  for each row when (new.time_until is not null) execute function end_booking_window();
