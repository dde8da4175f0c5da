-- Partners of surface B: who they are, what they may use and pay, how their key is replaced, and what they used.

alter table partner
  add column company  text constraint partner_company_length check (char_length(company) between 1 and 120),
  add column website  text constraint partner_website_length check (char_length(website) between 1 and 500),
  add column use_case text constraint partner_use_case_length check (char_length(use_case) between 1 and 500),
  add column status   text not null default 'active'
    constraint partner_status_known check (status in ('active','suspended','revoked')),
  add column plan     text not null default 'free'
    constraint partner_plan_known check (plan in ('free','partner','directory','concierge','platform')),
  -- Past the allowance calls are refused, unless a person has agreed to pay for them up to a limit in a month.
  add column pay_per_call      boolean not null default false,
  add column spend_limit_cents integer not null default 5000
    constraint partner_spend_limit_range check (spend_limit_cents between 0 and 10000000),
  -- Table requests are switched on by a person, who says why.
  add column bookings_enabled boolean not null default false,
  add column bookings_reason  text,
  add column bookings_at      timestamptz,
  add column bookings_by      text constraint partner_bookings_by_staff references staff,
  -- Whoever got the key without proving the mailbox or the old key does not see bookings from before this moment.
  add column bookings_from    timestamptz,
  add constraint partner_bookings_decided check (
    not bookings_enabled or (bookings_reason is not null and bookings_at is not null and bookings_by is not null));

-- A key that went to a mailbox only is pending: it takes the place of the live one when it is first used.
alter table api_key
  add column pending_until timestamptz,
  add constraint api_key_pending_is_partners check (pending_until is null or partner_id is not null);
drop index api_key_one_live_per_partner;
create unique index api_key_one_live_per_partner on api_key (partner_id)
  where revoked_at is null and pending_until is null;
create index api_key_pending on api_key (partner_id) where pending_until is not null;

-- Links that are mailed to a partner, each good for one use.
create table partner_link (
  token_hash bytea primary key constraint partner_link_sha256 check (octet_length(token_hash) = 32),
  partner_id text not null constraint partner_link_partner_exists references partner on delete cascade,
  purpose    text not null constraint partner_link_purpose_known check (purpose in ('sign_in','replace_key')),
  -- The pending key that takes the place of the live one when the link is used.
  key_hash   bytea constraint partner_link_key_exists references api_key on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  constraint partner_link_key_to_replace check ((key_hash is not null) = (purpose = 'replace_key'))
);
create index partner_link_of_partner on partner_link (partner_id, created_at);
create index partner_link_age on partner_link (expires_at);

create table partner_session (
  token_hash bytea primary key constraint partner_session_sha256 check (octet_length(token_hash) = 32),
  partner_id text not null constraint partner_session_partner_exists references partner on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint partner_session_ends check (expires_at > created_at)
);
create index partner_session_age on partner_session (expires_at);

-- Calls without a key, within a minute: of a session, or of an address. It is written thousands of times a second and is
-- worth nothing a minute later, so it may be lost when the database crashes; a service that starts again finds it.
create unlogged table call_window (
  name      text primary key,
  minute_at timestamptz not null,
  -- Calls of the session, or of the address without a session.
  used      integer not null constraint call_window_used_range check (used >= 0),
  -- All calls of the address, those of its sessions included; a session has no such count.
  all_used  integer not null constraint call_window_all_range check (all_used >= used)
) with (fillfactor = 50);

-- What a partner used in a calendar month UTC. One row holds all that a call changes, so that a call costs one write,
-- and its lock is what makes the minute, the allowance and the money exact.
create table partner_month (
  partner_id      text not null constraint partner_month_partner_exists references partner,
  month           date not null constraint partner_month_first_day check (extract(day from month) = 1),
  minute_at       timestamptz not null,
  minute_used     integer not null constraint partner_month_minute_range check (minute_used >= 0),
  calls           bigint not null constraint partner_month_calls_range check (calls >= 0),
  -- A thousandth of a US cent: prices of a call are fractions of a cent.
  cost_millicents bigint not null constraint partner_month_cost_range check (cost_millicents >= 0),
  -- For each tool: calls, those of them past the allowance, and what these cost.
  by_tool         jsonb not null constraint partner_month_by_tool_object check (jsonb_typeof(by_tool) = 'object'),
  -- The tool that was called last, and the terms that held for it. A spend limit that is null: nothing is paid for.
  last_tool       text not null,
  price           integer not null constraint partner_month_price_range check (price >= 0),
  minute_limit    integer not null,
  allowance       bigint not null,
  spend_limit     bigint,
  primary key (partner_id, month)
) with (fillfactor = 50);

create view partner_usage as
select m.partner_id, m.month, t.key as tool, (t.value->>0)::bigint as calls, (t.value->>1)::bigint as overage_calls,
       (t.value->>2)::bigint as cost_millicents
from partner_month m, jsonb_each(m.by_tool) t;
