-- The timeline is that of the log that the server writes now. The last checkpoint, from which it was read before, names
-- the earlier one for a while after a promotion, and some roles may not read it.
do $$
declare
  continues boolean := (select history from change_sequence) = change_history();
begin
  create or replace function change_history() returns text language sql stable as
    $sql$ select change_source() || '/' || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int $sql$;
  if continues then
    update change_sequence set history = change_history();
  end if;
end $$;
