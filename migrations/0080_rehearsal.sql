-- Bookings at rehearsal venues, which partners try their integration with. They count nowhere as tables.
alter table booking
  add column rehearsal boolean not null generated always as (place_id like 'plc\_rehearsal\_%') stored,
  add constraint booking_rehearsal_for_guest check (not rehearsal or for_type = 'guest');
