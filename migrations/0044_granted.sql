-- What the last take of a window granted stands in the row itself: PostgreSQL before 18 cannot return what a row was before.
alter table rate_window
  add column granted        bigint not null default 0,
  add column minute_granted integer not null default 0;
