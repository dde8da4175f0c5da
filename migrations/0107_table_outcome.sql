-- What became of a table, by the venue's own word or its system's: the last word counts.
create table table_outcome (
  booking_id  text primary key constraint table_outcome_booking_exists references booking on delete cascade,
  outcome     text not null constraint table_outcome_known check (outcome in ('came','fewer','absent')),
  recorded_by text not null constraint table_outcome_recorded_by_known check (recorded_by in ('venue','venue_system')),
  recorded_at timestamptz not null
);

-- Nobody can come to a table that was not promised, or whose time is still to come.
create function refuse_early_outcome() returns trigger language plpgsql as $$
begin
  if not exists (select from booking where id = new.booking_id and status = 'confirmed' and table_at <= new.recorded_at) then
    raise exception 'the table has not taken place'
      using errcode = 'check_violation', constraint = 'table_outcome_after_table';
  end if;
  return new;
end $$;
create trigger table_outcome_after_table before insert or update on table_outcome
  for each row execute function refuse_early_outcome();
