-- Coded messages about a confirmed table, from the partner or from the venue. They contain no free text.
create table coded_message (
  booking_id text not null constraint coded_message_booking_exists references booking on delete cascade,
  -- The entry of the timeline that reports it.
  sequence   integer not null,
  sender     text not null constraint coded_message_sender_known check (sender in ('partner','venue')),
  code       text not null constraint coded_message_code_known check (code in (
               'late','allergies','step_free','child_seat','coming','ready_later','kitchen_closes','please_confirm')),
  minutes    integer,
  allergens  text[],
  at_time    text,
  sent_at    timestamptz not null,
  -- Set by a tap of the venue; messages of the venue are delivered by webhook and never have it.
  seen_at    timestamptz constraint coded_message_seen_by_venue check (seen_at is null or sender = 'partner'),
  primary key (booking_id, sequence),
  constraint coded_message_of_its_code check (
    (sender = 'venue') = (code in ('ready_later','kitchen_closes','please_confirm'))
    and (code = 'late') = (minutes is not null) and (minutes is null or minutes between 5 and 90)
    and (code = 'allergies') = (allergens is not null)
    and (code in ('ready_later','kitchen_closes')) = (at_time is not null)
    and (at_time is null or at_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
    and (allergens is null or cardinality(allergens) between 1 and 14
         and allergens <@ array['gluten','crustaceans','eggs','fish','peanuts','soy','milk','nuts','celery','mustard','sesame',
                                'sulphites','lupin','molluscs']))
);

-- A message is about a table that the venue has promised.
create function refuse_message_without_table() returns trigger language plpgsql as $$
begin
  if not exists (select from booking where id = new.booking_id and status = 'confirmed') then
    raise exception 'a coded message needs a confirmed table'
      using errcode = 'check_violation', constraint = 'coded_message_for_confirmed';
  end if;
  return new;
end $$;
create trigger coded_message_for_confirmed before insert on coded_message
  for each row execute function refuse_message_without_table();

alter table booking_entry drop constraint booking_entry_event_known;
alter table booking_entry add constraint booking_entry_event_known check (event in (
  'sent','asking','offered','confirmed','declined','no_answer','cancelled',
  'channel_failed','reminder_sent','late_answer','no_show_reported','change_asked','offer_taken',
  'venue_told','notes_changed','callback_wanted','message_sent','message_seen','venue_message')) not valid;
alter table venue_ask drop constraint venue_ask_step_known;
alter table venue_ask add constraint venue_ask_step_known check (step in (
  'ask','accept','reminder','notify_cancelled','notify_accepted','notify_kept','notify_message')) not valid;
alter table webhook_delivery drop constraint webhook_delivery_event_known;
alter table webhook_delivery add constraint webhook_delivery_event_known check (event in (
  'sent','asking','offered','confirmed','declined','no_answer','cancelled','test','message')) not valid;
