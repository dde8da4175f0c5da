-- Why a partner gives a confirmed table back, kept with the step that asks the venue's own system to take it: whoever finds
-- that step after a crash ends the cancellation as it was begun.
alter table venue_ask
  add column reason text constraint venue_ask_reason_length check (char_length(reason) <= 200)
    constraint venue_ask_reason_no_contact check (not holds_contact(reason));
