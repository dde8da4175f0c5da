-- What a venue offers is told in one order everywhere: first what it put first. A venue's own system that gave another
-- table than the one asked for holds it until the offer is taken or not; ref is what it calls that table.
alter table booking_offer
  add column rank integer not null default 0 constraint booking_offer_rank_range check (rank >= 0),
  add column ref text constraint booking_offer_ref_length check (char_length(ref) <= 200)
    constraint booking_offer_ref_of_system check (ref is null or made_by = 'venue_system');

-- A venue that wants to offer another time on the phone is called back by a person.
alter table booking_entry drop constraint booking_entry_event_known,
  add constraint booking_entry_event_known check (event in (
    'sent','asking','offered','confirmed','declined','no_answer','cancelled',
    'channel_failed','reminder_sent','late_answer','no_show_reported','change_asked','offer_taken',
    'venue_told','notes_changed','callback_wanted'));

-- Tables that a venue's own system gave are watched until their time.
create index booking_watched on booking (table_at) where status = 'confirmed' and confirmed_by = 'venue_system';
