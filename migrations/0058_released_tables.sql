-- The tables that a venue is told to give up when a booking is cancelled, the promised one first: [{date, time, party_size}].
-- A booking that was cancelled while a change was asked for has two, and its own date is that of the change.
alter table booking
  add column released jsonb,
  add constraint booking_released_only_when_cancelled
    check (released is null or (status = 'cancelled' and jsonb_typeof(released) = 'array'));
