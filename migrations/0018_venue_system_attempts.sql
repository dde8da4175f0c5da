-- Why a partner gives a confirmed table back, kept with the step that asks the venue's own system to take it: whoever finds
-- that step after a crash ends the cancellation as it was begun.
alter table venue_ask
  add column reason text constraint venue_ask_reason_length check (char_length(reason) <= 200)
    constraint venue_ask_reason_no_contact check (not holds_contact(reason));

-- pending: the venue's system has not decided, or has not said whether it did what it was asked. Both are looked up again,
-- and what the venue was to be told also after the booking has ended: after a halt these are found here.
create index venue_ask_undecided on venue_ask (booking_id) where state in ('sending','pending');
