-- Rules of venues for table requests. They are checked before a venue is asked.
create table venue_rule (
  id         bigint generated always as identity primary key,
  place_id   text not null constraint venue_rule_place_exists references place on delete cascade,
  kind       text not null constraint venue_rule_kind_known
               check (kind in ('closed','full','max_party','notice','last_seating','max_stay','not_offered')),
  -- Local days, both included.
  from_date  date,
  until_date date,
  -- People, or minutes.
  amount     integer,
  at_time    text constraint venue_rule_time_form check (at_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  words      text constraint venue_rule_words_length check (char_length(words) between 1 and 200)
               constraint venue_rule_words_no_contact check (not contains_contact(words)),
  -- The request whose page set the rule, so that undoing the answer ends it too.
  booking_id text,
  set_at     timestamptz not null,
  constraint venue_rule_of_its_kind check (
    (kind in ('closed','full')) = (from_date is not null)
    and (from_date is null) = (until_date is null) and until_date between from_date and from_date + 400
    and (kind = 'max_party') = (amount is not null and kind not in ('notice','max_stay'))
    and (kind not in ('notice','max_stay') or amount is not null)
    and (amount is null or amount between 1 and case kind when 'max_party' then 30 else 43200 end)
    and (kind = 'last_seating') = (at_time is not null)
    and (kind = 'not_offered') = (words is not null))
);
create unique index venue_rule_once on venue_rule (place_id, kind, coalesce(from_date, '-infinity'), coalesce(until_date, '-infinity'));

-- The rules that a table would break. A seating after midnight belongs to the evening before.
create function venue_rules_against(asked_place text, asked_date date, asked_time text, asked_party integer,
                                    asked_table_at timestamptz, asked_at timestamptz)
returns setof venue_rule language sql stable as $$
  select * from venue_rule r
  where r.place_id = asked_place and case r.kind
    when 'max_party' then asked_party > r.amount
    when 'notice' then asked_table_at < asked_at + r.amount * interval '1 minute'
    when 'last_seating' then asked_time::time - interval '5 hours' > r.at_time::time - interval '5 hours'
    else asked_date between r.from_date and r.until_date end
  order by array_position(array['closed','full'], r.kind), r.id
$$;

-- No request is made against a rule, neither a new one nor a change. An offer of the venue itself may break it.
create function refuse_against_venue_rule() returns trigger language plpgsql as $$
begin
  if exists (select from venue_rules_against(new.place_id, new.date, new.time, new.party_size, new.table_at, new.updated_at)) then
    raise exception 'the table is against a rule of the venue'
      using errcode = 'check_violation', constraint = 'booking_within_venue_rules';
  end if;
  return new;
end $$;
create trigger booking_within_venue_rules before insert on booking
  for each row execute function refuse_against_venue_rule();
create trigger booking_change_within_venue_rules before update on booking
  for each row when (new.revision > old.revision and new.status = 'asking') execute function refuse_against_venue_rule();

-- Days on which a venue said that it is closed, as exceptions of its hours, whichever source the hours have.
create function apply_closed_days() returns trigger language plpgsql as $$
declare days jsonb; first_day date; last_day date;
begin
  if jsonb_typeof(new.hours -> 'compiled') = 'object' then
    select jsonb_object_agg(day::date::text, '[]'::jsonb), min(r.from_date), max(r.until_date) into days, first_day, last_day
    from venue_rule r, generate_series(r.from_date, r.until_date, interval '1 day') day
    where r.place_id = new.id and r.kind = 'closed' and r.until_date > current_date - 30;
    if days is not null then
      -- Exceptions belong to a window. Hours that had none are compiled again before this one ends.
      new.hours := jsonb_set(new.hours, '{compiled}',
        jsonb_build_object('from', (first_day - 400)::text, 'until', (last_day + 400)::text) || (new.hours -> 'compiled')
        || jsonb_build_object('exceptions', coalesce(new.hours #> '{compiled,exceptions}', '{}') || days));
    end if;
  end if;
  return new;
end $$;
create trigger place_closed_days before update of hours on place for each row execute function apply_closed_days();
