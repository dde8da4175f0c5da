-- Rows of append-only tables leave by these two functions only, and only after their time, whatever the caller says.
-- src/retention/tables.ts states how long each table is kept and why.

-- True inside the function that deletes expired rows of a table, which sets waypost.expiring for as long as it runs.
create function is_expiring(table_name text) returns boolean language sql stable as $$
  select table_name = any(string_to_array(current_setting('waypost.expiring', true), ','))
    and table_name in ('audit_log', 'submission', 'submission_revision', 'submission_decision')
$$;

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and is_expiring(tg_table_name) then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace function protect_submission() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if is_expiring(tg_table_name) then
      return old;
    end if;
    raise exception 'a submission is permanent'
      using errcode = 'restrict_violation', constraint = 'submission_permanent';
  end if;
  if (new.id, new.kind, new.agent_id, new.agent_name, new.operator_name, new.created_at)
      is distinct from (old.id, old.kind, old.agent_id, old.agent_name, old.operator_name, old.created_at) then
    raise exception 'the attribution of a submission is permanent'
      using errcode = 'restrict_violation', constraint = 'submission_attribution_permanent';
  end if;
  if new.revision not in (old.revision, old.revision + 1) then
    raise exception 'revisions are counted one by one'
      using errcode = 'check_violation', constraint = 'submission_revision_by_one';
  end if;
  return new;
end $$;

-- Entries are numbered in the order in which they were made, so the oldest are found by their number.
create function delete_expired_audit_entries(before timestamptz, at_most integer) returns integer
language plpgsql as $$
declare
  deleted integer;
begin
  perform set_config('waypost.expiring', 'audit_log', true);
  delete from audit_log
  where sequence = any(array(select sequence from audit_log order by sequence limit at_most))
    and at < least(before, now() - interval '1461 days');
  get diagnostics deleted = row_count;
  perform set_config('waypost.expiring', '', true);
  return deleted;
end $$;

-- Submissions that were rejected and were never published. All others are attributed for as long as they exist.
create function delete_expired_submissions(before timestamptz, at_most integer) returns integer
language plpgsql as $$
declare
  ids text[];
begin
  perform set_config('waypost.expiring', 'submission,submission_revision,submission_decision', true);
  ids := array(
    select s.id from submission s
    where s.status = 'rejected' and s.live_revision is null
      and s.updated_at < least(before, now() - interval '730 days')
      and not exists (select from submission p where p.business_id = s.id)
      and not exists (select from submission_takedown t where t.submission_id = s.id)
    order by s.updated_at limit at_most for update skip locked);
  delete from desk_task where submission_id = any(ids);
  delete from business_confirmation where submission_id = any(ids);
  delete from held_decision where submission_id = any(ids);
  delete from submission where id = any(ids);
  delete from submission_decision where submission_id = any(ids);
  delete from submission_revision where submission_id = any(ids);
  perform set_config('waypost.expiring', '', true);
  return cardinality(ids);
end $$;

create index submission_rejected on submission (updated_at) where status = 'rejected' and live_revision is null;
create index booking_choice_ended on booking_choice (ended_at) where ended_at is not null;
-- A booking that is deleted is taken out of the replies about it.
create index venue_reply_of_booking on venue_reply (booking_id) where booking_id is not null;
