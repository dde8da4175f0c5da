-- A venue's own system may report that one of its tables changed; the table is then checked at once.
alter table venue_ask add column check_wanted boolean not null default false;
