-- How often a door was shut within a day: each time it stays shut for longer.
alter table sign_in_attempt
  add column locks integer not null default 0 constraint sign_in_attempt_locks_range check (locks >= 0);
-- From now on strangers are counted for an account and the address that they come from together.
delete from sign_in_attempt;

