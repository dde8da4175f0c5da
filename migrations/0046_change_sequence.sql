-- Search indexes and the tokens of feeds hold positions in the sequence of transactions. Both must notice when the
-- database is another one, or was put back to an earlier moment.

-- Which server, database and tables these are: what is read in from a dump is another one, although it has the same
-- names. Some roles may not ask for the server.
create function change_source() returns text language plpgsql stable as $$
declare
  here text := (select oid from pg_database where datname = current_database()) || '/' || 'place'::regclass::oid;
begin
  return (select system_identifier from pg_control_system()) || '/' || here;
exception when insufficient_privilege then
  return here;
end $$;

-- The same with the history that the server follows: another one after a recovery to a point in time.
create function change_history() returns text language plpgsql stable as $$
begin
  return change_source() || '/' || (select timeline_id from pg_control_checkpoint());
exception when insufficient_privilege then
  return change_source();
end $$;

-- The sequence that tokens are of. It gets another id whenever transactions may have been forgotten, so that a token of
-- before is refused. The first one has none.
create table change_sequence (
  one_row boolean primary key default true constraint change_sequence_one_row check (one_row),
  id      text not null,
  history text not null
);
insert into change_sequence (id, history) values ('', change_history());

-- The transaction in which an index last read what changed, written by itself. A database that has it has all that the
-- index was told; one that was put back has an earlier one, and a row that was copied was written by another.
alter table index_build add column followed_by xid8;
