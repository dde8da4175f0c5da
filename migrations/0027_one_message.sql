-- A venue that several guests ask about the same evening gets one message with all their tables. How long requests are
-- gathered before it is written to again, the venue sets; 0: never.
alter table place add column gather_minutes smallint not null default 15
  constraint place_gather_minutes_range check (gather_minutes between 0 and 120);

-- The question whose message, and whose link, this one shares.
alter table venue_ask add column with_ask bigint
  constraint venue_ask_with_exists references venue_ask on delete set null;
create index venue_ask_together on venue_ask (with_ask) where with_ask is not null;
