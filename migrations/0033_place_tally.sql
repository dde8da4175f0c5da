-- How many places stand in each destination, and on which day each was last verified: kept as changes come, because
-- counting millions of places takes a second and a destination's figures are wanted at every start and change.
--
-- Writers only add lines, so that none waits for another; the one that reads puts them together when they have become
-- many (src/directory/place-tally.ts). The figures of a day are the sum of its lines.
create table place_tally (
  destination_id text not null constraint place_tally_destination_exists references destination on delete cascade,
  -- The day in UTC; null where nobody has verified them.
  verified_on    date,
  places         integer not null
);
create index place_tally_destinations on place_tally (destination_id);

create function tally_places() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into place_tally
    select destination_id, (verified_at at time zone 'UTC')::date, count(*)
    from came where closed_at is null group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into place_tally
    select destination_id, (verified_at at time zone 'UTC')::date, -count(*)
    from gone where closed_at is null group by 1, 2;
  else
    insert into place_tally
    select destination_id, (verified_at at time zone 'UTC')::date, sum(step)
    from (
      select destination_id, verified_at, 1 as step from came where closed_at is null
      union all
      select destination_id, verified_at, -1 from gone where closed_at is null
    ) moved
    group by 1, 2 having sum(step) <> 0;
  end if;
  return null;
end $$;

create trigger place_tallied_insert after insert on place referencing new table as came
  for each statement execute function tally_places();
create trigger place_tallied_update after update on place referencing old table as gone new table as came
  for each statement execute function tally_places();
create trigger place_tallied_delete after delete on place referencing old table as gone
  for each statement execute function tally_places();

insert into place_tally
select destination_id, (verified_at at time zone 'UTC')::date, count(*)
from place where closed_at is null group by 1, 2;

drop index place_counts;
