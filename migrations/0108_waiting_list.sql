-- A request that a full venue declines may wait for a table until wait_until. It stays asking; it waits while its revision
-- is waiting_revision, so that a change or an end by a program that knows no waiting list ends the wait too.
alter table booking
  add column wait_until timestamptz,
  add column waiting_since timestamptz,
  add column waiting_revision integer,
  add column waiting boolean generated always as (status = 'asking' and waiting_revision is not distinct from revision) stored,
  add constraint booking_wait_at_one_venue check (wait_until is null or choice_id is null),
  add constraint booking_waiting_has_end check (
    (waiting_revision is null) = (waiting_since is null) and (waiting_revision is null or wait_until is not null)),
  -- A guest who has a table does not wait for one.
  add constraint booking_waiting_without_table check (not (waiting and held is not null));
create index booking_waiting on booking (place_id, date, waiting_since, id) where waiting;

-- On a full day a request may join the waiting list; no other rule of the venue lets it in.
create or replace function refuse_against_venue_rule() returns trigger language plpgsql as $$
begin
  if exists (select from venue_rules_against(new.place_id, new.date, new.time, new.party_size, new.table_at, new.updated_at) r
             where r.kind <> 'full' or new.wait_until is null or new.revision > 1) then
    raise exception 'the table is against a rule of the venue'
      using errcode = 'check_violation', constraint = 'booking_within_venue_rules';
  end if;
  return new;
end $$;

alter table booking_entry drop constraint booking_entry_event_known;
alter table booking_entry add constraint booking_entry_event_known check (event in (
  'sent','asking','offered','confirmed','declined','no_answer','cancelled',
  'channel_failed','reminder_sent','late_answer','no_show_reported','change_asked','offer_taken',
  'venue_told','notes_changed','callback_wanted','message_sent','message_seen','venue_message','waiting')) not valid;
