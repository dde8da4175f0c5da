-- What a venue requires of a guest's table: at most one value of each term and source, with the day of its statement.
create table table_term (
  place_id  text not null constraint table_term_place_exists references place on delete cascade,
  term      text not null constraint table_term_known
              check (term in ('deposit','minimum_spend','service_charge_pct','cancellation_hours','hold_minutes','children_from_age','dress_code')),
  source    text not null constraint table_term_source_known check (source in ('venue','venue_system')),
  value     jsonb not null,
  stated_at timestamptz not null,
  primary key (place_id, term, source),
  constraint table_term_value_form check (coalesce(case
    when term in ('deposit','minimum_spend') then
      jsonb_typeof(value) = 'object' and value - '{amount_minor,currency,per}'::text[] = '{}'
      and value ->> 'amount_minor' ~ '^[0-9]{1,9}$' and value ->> 'currency' ~ '^[A-Z]{3}$' and value ->> 'per' in ('person','table')
    when term = 'dress_code' then value #>> '{}' in ('none','smart_casual','formal')
    else jsonb_typeof(value) = 'number' and value #>> '{}' ~ '^[0-9]{1,3}$' and (value #>> '{}')::integer between
      case when term in ('cancellation_hours','hold_minutes') then 1 else 0 end
      and case term when 'service_charge_pct' then 50 when 'cancellation_hours' then 720 when 'hold_minutes' then 240 else 18 end
    end, false))
);

-- The terms of a place, each from the venue itself if it stated it, otherwise from its system.
create function table_terms_of(asked_place text) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(term, jsonb_build_object('value', value, 'source', source,
           'stated_at', to_char(stated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '{}')
  from (select distinct on (term) term, value, source, stated_at from table_term
        where place_id = asked_place order by term, source = 'venue' desc) t
$$;

-- The terms at the time of the request, so that guest and venue have read the same ones.
alter table booking add column table_terms jsonb
  constraint booking_table_terms_form check (table_terms is null or jsonb_typeof(table_terms) = 'object');
