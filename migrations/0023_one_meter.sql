-- One table counts all that is limited or billed; who is counted, and in which period, is one row. A call that is counted
-- changes one row, whose lock makes the minute, the period and the money exact on any number of nodes.
alter table rate_window rename to rate_window_before;
alter table rate_window_before rename constraint rate_window_pkey to rate_window_before_pkey;
alter index rate_window_age rename to rate_window_before_age;
alter table rate_window_before rename constraint rate_window_used_range to rate_window_before_used_range;

create table rate_window (
  -- reads: of an agent in a day. calls: of a partner in a month. unkeyed: of a session or an address in a minute.
  -- ceiling: whatever else is limited.
  kind            text not null,
  name            text not null,
  starts_at       timestamptz not null,
  ends_at         timestamptz not null,
  used            bigint not null constraint rate_window_used_range check (used >= 0),
  -- The last minute within the window, where it has a ceiling of its own. For an address: its calls without a session.
  minute_at       timestamptz,
  minute_used     integer not null default 0 constraint rate_window_minute_range check (minute_used >= 0),
  -- A thousandth of a US cent: prices of a call are fractions of a cent.
  cost_millicents bigint not null default 0 constraint rate_window_cost_range check (cost_millicents >= 0),
  -- For each tool of a partner: calls, those of them past the ceiling, and what these cost.
  by_tool         jsonb constraint rate_window_by_tool_object check (jsonb_typeof(by_tool) = 'object'),
  -- The terms that held when it was last counted. A spend limit that is null: nothing is paid for.
  ceiling         bigint not null,
  minute_ceiling  integer,
  -- The calls that had come, without those that were taken ahead: only these are paid for.
  calls_made      integer,
  tool            text,
  price           integer constraint rate_window_price_range check (price >= 0),
  spend_limit     bigint,
  primary key (kind, name, starts_at),
  constraint rate_window_ends check (ends_at > starts_at)
) partition by list (kind);

-- Forgotten once it has passed.
create table rate_window_passing partition of rate_window for values in ('reads', 'ceiling') with (fillfactor = 70);
create index rate_window_age on rate_window_passing (ends_at);

-- What is billed stays.
create table rate_window_calls partition of rate_window for values in ('calls') with (fillfactor = 50);
alter table rate_window_calls
  add constraint rate_window_partner_exists foreign key (name) references partner,
  add constraint rate_window_by_tool_there check (by_tool is not null);

-- Written thousands of times a second and worth nothing a minute later, so that it may be lost when the database crashes.
create unlogged table rate_window_unkeyed partition of rate_window for values in ('unkeyed') with (fillfactor = 50);

insert into rate_window (kind, name, starts_at, ends_at, used, ceiling, minute_at, minute_used)
select 'reads', a.id, day.starts_at, day.ends_at, day.used, day.ceiling, minute.starts_at, coalesce(minute.used, 0)
from agent a
join rate_window_before day on day.name = 'reads-day/' || a.id
left join lateral (
  select m.starts_at, m.used from rate_window_before m
  where m.name = 'reads-minute/' || a.id and m.starts_at >= day.starts_at and m.starts_at < day.ends_at
  order by m.starts_at desc limit 1) minute on true;

-- The ceilings of bookings, operations and pages are asked for by new names; whom they count is named alike everywhere.
insert into rate_window (kind, name, starts_at, ends_at, used, ceiling)
select 'ceiling', coalesce(renamed.after || substr(w.name, length(renamed.before) + 1), w.name), w.starts_at, w.ends_at,
       w.used, w.ceiling
from rate_window_before w
left join (values ('bookings/', ''), ('set_webhook/', 'webhook-changes/'), ('sign_up/', 'sign-ups/'),
                  ('sign_up_partner/', 'partner-sign-ups/'), ('oauth_register/', 'registrations/address:'),
                  ('claim_page/', 'claim_page/address:')) renamed (before, after) on starts_with(w.name, renamed.before)
where not exists (select from agent a where a.id = substring(w.name from '^reads-(?:day|minute)/(.*)$'));

insert into rate_window (kind, name, starts_at, ends_at, used, minute_at, minute_used, cost_millicents, by_tool, ceiling,
                         minute_ceiling, tool, price, spend_limit)
select 'calls', partner_id, month::timestamp at time zone 'UTC', (month + interval '1 month') at time zone 'UTC', calls,
       minute_at, minute_used, cost_millicents, by_tool, allowance, minute_limit, last_tool, price, spend_limit
from partner_month;

insert into rate_window (kind, name, starts_at, ends_at, used, ceiling, minute_at, minute_used)
select 'unkeyed', name, minute_at, minute_at + interval '1 minute', all_used, all_used, minute_at, used
from call_window where name like 'address/%'
union all
select 'unkeyed', name, minute_at, minute_at + interval '1 minute', used, all_used, null, 0
from call_window where name like 'session/%';

drop view partner_usage;
drop table rate_window_before, partner_month, call_window;

create view partner_usage as
select w.name as partner_id, (w.starts_at at time zone 'UTC')::date as month, t.key as tool,
       (t.value->>0)::bigint as calls, (t.value->>1)::bigint as overage_calls, (t.value->>2)::bigint as cost_millicents
from rate_window w, jsonb_each(w.by_tool) t where w.kind = 'calls';
