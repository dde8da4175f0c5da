-- When the timelines of all bookings were checked, and what was found. A row a day: they tell since when something is wrong.
create table timeline_check (
  id       bigint generated always as identity primary key,
  began_at timestamptz not null,
  -- Null while it is under way.
  ended_at timestamptz,
  -- The last booking that it has looked at.
  reached  text not null default '',
  bookings integer not null default 0,
  entries  bigint not null default 0,
  broken   integer not null default 0,
  -- The first of them: [{booking_id, sequence, what}].
  faults   jsonb not null default '[]'
);
create unique index timeline_check_one_under_way on timeline_check ((true)) where ended_at is null;
create index timeline_check_by_end on timeline_check (ended_at desc) where ended_at is not null;
