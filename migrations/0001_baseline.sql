-- The whole schema, one section per module. It was written when nothing had been released; later changes are migrations
-- of their own. Every rule has a name, because the code and the tests refer to violated constraints by name.
-- test/snapshots/schema.json holds the result (npm run snapshots).

-- Shared functions ---------------------------------------------------------------------------------------------------

-- Makes a table append-only.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- True if a text contains a way to contact a guest. The application refuses more and explains why. This is the last
-- line of defence, so that no other code path can store such a text. Numbers that are a date, a range of years or
-- prices, a time or a round sum by their form are allowed, because guests write those.
create function contains_contact(input text) returns boolean language sql immutable parallel safe as $$
  select input ~* '[^[:space:]@]@[^[:space:]@]|://|(^|[^[:alnum:]])www\.'
      or regexp_replace(
           regexp_replace(input,
             '(?<!\d)((19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](19|20)\d\d|(19|20)\d\d ?[-/] ?(19|20)\d\d'
             || '|[1-9]\d{0,2}00 ?- ?[1-9]\d{0,2}00|\d{1,2}[.:]\d\d|[1-9]\d{0,2}([. ]\d{3})*[. ]000)(?!\d)', 'x', 'g'),
           '[[:space:].-]', '', 'g') ~ '[0-9]{7}'
$$;

-- Accounts: staff, agents, partners, their keys and sign-ins. Secrets are stored only as hashes or encrypted ---------

create table staff (
  id            text primary key constraint staff_id_form check (id ~ '^stf_[0-9a-hjkmnp-tv-z]{26}$'),
  email         text not null constraint staff_email_lower check (email = lower(email))
                  constraint staff_email_unique unique,
  role          text not null constraint staff_role_known check (role in ('reviewer','desk','lead')),
  password_hash text not null,
  -- True for a password that the service generated: it must be changed at the first sign-in.
  must_change_password boolean not null default false,
  -- Encrypted with a secret of the installation. Set when a first code has confirmed it.
  totp_secret       bytea,
  totp_confirmed_at timestamptz,
  -- The time step of the last accepted code: no code is accepted twice.
  totp_last_step    bigint,
  -- Set when a person leaves. The row stays, because decisions reference it.
  disabled_at   timestamptz,
  created_at    timestamptz not null,
  constraint staff_totp_confirmed check ((totp_secret is null) = (totp_confirmed_at is null)),
  constraint staff_totp_step_dated check (totp_last_step is null or totp_secret is not null)
);

create table staff_session (
  token_hash    bytea primary key constraint staff_session_sha256 check (octet_length(token_hash) = 32),
  staff_id      text not null constraint staff_session_staff_exists references staff on delete cascade,
  -- False while only the password is verified. Such a session may only set up the second factor.
  second_factor boolean not null,
  -- The secret that an enrolment offers. It belongs to the session, so that nobody enrols with a secret another has seen.
  offered_totp  bytea,
  address       text not null,
  user_agent    text not null,
  created_at    timestamptz not null,
  last_seen_at  timestamptz not null,
  expires_at    timestamptz not null,
  constraint staff_session_ends check (expires_at > created_at),
  constraint staff_session_offer_before_factor check (offered_totp is null or not second_factor)
);
create index staff_session_by_staff on staff_session (staff_id);
create index staff_session_age on staff_session (expires_at);

-- A session of a disabled person, or a full session of a person without a second factor, cannot be written.
create function require_second_factor() returns trigger language plpgsql as $$
begin
  if exists (select 1 from staff s where s.id = new.staff_id
             and (s.disabled_at is not null or (new.second_factor and s.totp_secret is null))) then
    raise exception 'a session needs an active person and, to open the console, a second factor'
      using errcode = 'check_violation', constraint = 'staff_session_person_proven';
  end if;
  return new;
end $$;
create trigger staff_session_person_proven before insert or update of staff_id, second_factor on staff_session
  for each row execute function require_second_factor();

create table staff_recovery_code (
  staff_id  text not null constraint staff_recovery_code_staff_exists references staff on delete cascade,
  code_hash bytea not null constraint staff_recovery_code_sha256 check (octet_length(code_hash) = 32),
  used_at   timestamptz,
  primary key (staff_id, code_hash)
);

-- Sign-in attempts, by account and by address. A successful sign-in removes its own attempt.
create table sign_in_attempt (
  subject      text primary key,
  attempts     integer not null constraint sign_in_attempt_range check (attempts >= 0),
  last_at      timestamptz not null,
  locked_until timestamptz,
  -- Number of locks within a day. Each lock is longer than the one before.
  locks        integer not null default 0 constraint sign_in_attempt_locks_range check (locks >= 0)
);
create index sign_in_attempt_age on sign_in_attempt (last_at);

create table agent (
  id             text primary key constraint agent_id_form check (id ~ '^agt_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_name     text not null constraint agent_name_length check (char_length(agent_name) between 2 and 80),
  operator_name  text not null constraint agent_operator_name_length check (char_length(operator_name) between 2 and 120),
  operator_email text not null constraint agent_operator_email_lower check (operator_email = lower(operator_email)),
  homepage       text,
  purpose        text not null constraint agent_purpose_length check (char_length(purpose) between 12 and 500),
  status         text not null default 'active' constraint agent_status_known check (status in ('active','suspended','revoked')),
  plan           text not null default 'free' constraint agent_plan_known check (plan in ('free','starter','growth','scale')),
  -- A plan is paid for one month. Without another payment the agent returns to the free plan.
  plan_until     timestamptz,
  -- After a change to a smaller plan, the larger one is valid until the end of the day, because a quota never shrinks
  -- while it is in use.
  prior_plan     text constraint agent_prior_plan_known check (prior_plan in ('starter','growth','scale')),
  prior_until    timestamptz,
  -- Set when a person used a code or link that was mailed to the operator. Keys from before may belong to a stranger
  -- who entered this address, so they end at that moment.
  email_verified_at timestamptz,
  created_at     timestamptz not null,
  -- One agent record and one key per operator.
  constraint agent_operator_unique unique (operator_email),
  constraint agent_prior_plan_whole check ((prior_plan is null) = (prior_until is null))
);

-- A payment for a plan that a person is asked to make. It is paid once or never.
create table checkout (
  id           text primary key constraint checkout_id_form check (id ~ '^pay_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_id     text not null constraint checkout_agent_exists references agent,
  plan         text not null constraint checkout_plan_known check (plan in ('starter','growth','scale')),
  amount_cents integer not null constraint checkout_amount_positive check (amount_cents > 0),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  paid_at      timestamptz,
  -- 'test', or the payment provider's own reference.
  paid_by      text,
  constraint checkout_paid_whole check ((paid_at is null) = (paid_by is null))
);

create table partner (
  id         text primary key constraint partner_id_form check (id ~ '^ptn_[0-9a-hjkmnp-tv-z]{26}$'),
  email      text not null constraint partner_email_lower check (email = lower(email))
               constraint partner_email_unique unique,
  name       text not null constraint partner_name_length check (char_length(name) between 2 and 120),
  company    text constraint partner_company_length check (char_length(company) between 1 and 120),
  website    text constraint partner_website_length check (char_length(website) between 1 and 500),
  use_case   text constraint partner_use_case_length check (char_length(use_case) between 1 and 500),
  status     text not null default 'active' constraint partner_status_known check (status in ('active','suspended','revoked')),
  plan       text not null default 'free' constraint partner_plan_known
               check (plan in ('free','partner','directory','concierge','platform')),
  -- Calls beyond the quota are refused, unless a person has agreed to pay for them up to a monthly limit.
  pay_per_call      boolean not null default false,
  spend_limit_cents integer not null default 5000
    constraint partner_spend_limit_range check (spend_limit_cents between 0 and 10000000),
  -- Staff enable table requests and state a reason.
  bookings_enabled boolean not null default false,
  bookings_reason  text,
  bookings_at      timestamptz,
  bookings_by      text constraint partner_bookings_by_staff references staff,
  -- A holder who got the key without proof of the mailbox or the old key does not see bookings from before this time.
  bookings_from    timestamptz,
  -- As in agent.
  email_verified_at timestamptz,
  created_at timestamptz not null,
  constraint partner_bookings_decided check (
    not bookings_enabled or (bookings_reason is not null and bookings_at is not null and bookings_by is not null)),
  constraint partner_bookings_need_proof check (not bookings_enabled or email_verified_at is not null)
);

create table api_key (
  hash         bytea primary key constraint api_key_sha256 check (octet_length(hash) = 32),
  prefix       text not null,
  agent_id     text constraint api_key_agent_exists references agent on delete cascade,
  partner_id   text constraint api_key_partner_exists references partner on delete cascade,
  -- Set for a key that was only mailed. It replaces the live key when it is first used.
  pending_until timestamptz,
  created_at   timestamptz not null,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  -- The reason, where a caller with this key needs another message than "revoked".
  revoked_because text constraint api_key_revoked_because_known check (revoked_because = 'mailbox_proven'),
  constraint api_key_one_owner check (num_nonnulls(agent_id, partner_id) = 1),
  constraint api_key_pending_is_partners check (pending_until is null or partner_id is not null),
  constraint api_key_reason_only_if_revoked check (revoked_because is null or revoked_at is not null)
);
create unique index api_key_one_live_per_agent on api_key (agent_id) where revoked_at is null;
create unique index api_key_one_live_per_partner on api_key (partner_id)
  where revoked_at is null and pending_until is null;
create index api_key_pending on api_key (partner_id) where pending_until is not null;

-- Mailed links with which an operator gets a new key. Each works once.
create table recovery_link (
  token_hash bytea primary key constraint recovery_link_sha256 check (octet_length(token_hash) = 32),
  -- The request that caused it, so that a repeated job creates one link.
  request_id text not null constraint recovery_link_request_unique unique,
  agent_id   text not null constraint recovery_link_agent_exists references agent on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index recovery_link_of_agent on recovery_link (agent_id, created_at);

-- Links mailed to a partner. Each works once.
create table partner_link (
  token_hash bytea primary key constraint partner_link_sha256 check (octet_length(token_hash) = 32),
  partner_id text not null constraint partner_link_partner_exists references partner on delete cascade,
  purpose    text not null constraint partner_link_purpose_known check (purpose in ('sign_in','replace_key')),
  -- The pending key that replaces the live one when the link is used.
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

-- Mailed codes with which operators (osi_) and members (msi_) sign in.
create table sign_in_code (
  id         text primary key constraint sign_in_code_id_form check (id ~ '^(osi|msi)_[0-9a-hjkmnp-tv-z]{26}$'),
  email      text not null constraint sign_in_code_email_lower check (email = lower(email)),
  code_hash  bytea not null constraint sign_in_code_hmac check (octet_length(code_hash) = 32),
  -- Hash of the cookie of the browser that requested the code. It works only there.
  browser    bytea not null constraint sign_in_code_browser_sha256 check (octet_length(browser) = 32),
  -- The address of that browser. Too many wrong codes lock this address, so that nobody else is locked out.
  requested_from text not null,
  tries      integer not null default 0 constraint sign_in_code_tries_range check (tries between 0 and 5),
  -- After too many wrong tries, no other code is mailed until then.
  locked_until timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index sign_in_code_age on sign_in_code (expires_at);
create index sign_in_code_locked on sign_in_code (email, locked_until) where locked_until is not null;

-- An operator is identified by the mailbox. The agent account is created when the first client is approved.
create table operator_session (
  token_hash bytea primary key constraint operator_session_sha256 check (octet_length(token_hash) = 32),
  email      text not null constraint operator_session_email_lower check (email = lower(email)),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint operator_session_ends check (expires_at > created_at)
);
create index operator_session_age on operator_session (expires_at);

-- Accounts with which a reviewer of an app directory signs in by a code that is not mailed. None exists until an operator
-- creates one, its mailbox belongs to no other account, and it expires.
create table review_account (
  email      text primary key constraint review_account_email_lower check (email = lower(email)),
  agent_id   text not null constraint review_account_agent_exists references agent,
  code_hash  bytea not null constraint review_account_hmac check (octet_length(code_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint review_account_bounded check (expires_at > created_at and expires_at <= created_at + interval '366 days')
);

-- OAuth 2.1 for MCP clients. Tokens and interaction ids are stored as hashes, so the database alone opens nothing ----

-- Clients that registered themselves. A client identified by the URL of its metadata document has no row.
create table oauth_client (
  id              text primary key constraint oauth_client_id_form check (id ~ '^ocl_[0-9a-hjkmnp-tv-z]{26}$'),
  metadata        jsonb not null constraint oauth_client_metadata_plain
                    check (jsonb_typeof(metadata) = 'object' and not metadata ? 'client_secret'),
  -- Encrypted with a secret of the installation, for the few clients that requested one.
  sealed_secret   bytea,
  -- Hash of a public client's metadata. An equal registration returns the same client, so a host that registers once
  -- per user has one row. A client with a secret has none, because the secret distinguishes it.
  fingerprint     bytea constraint oauth_client_fingerprint_sha256 check (octet_length(fingerprint) = 32)
                    constraint oauth_client_fingerprint_unique unique,
  registered_from text not null,
  created_at      timestamptz not null,
  last_used_at    timestamptz not null,
  constraint oauth_client_secret_is_not_shared check (fingerprint is null or sealed_secret is null)
);
create index oauth_client_idle on oauth_client (last_used_at);

-- A client connected to an agent or a partner account, for one endpoint. Deleting the row ends all its tokens at once.
create table oauth_grant (
  id           text primary key constraint oauth_grant_id_form check (id ~ '^ogr_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_id     text constraint oauth_grant_agent_exists references agent on delete cascade,
  partner_id   text constraint oauth_grant_partner_exists references partner on delete cascade,
  -- The id of a registered client, or the URL of a client's metadata document.
  client_id    text not null,
  client_name  text not null constraint oauth_grant_client_named check (client_name <> ''),
  client_host  text not null,
  audience     text not null,
  scopes       text[] not null,
  created_at   timestamptz not null,
  last_used_at timestamptz,
  constraint oauth_grant_of_one_account check (num_nonnulls(agent_id, partner_id) = 1),
  constraint oauth_grant_scopes_known check (cardinality(scopes) > 0 and case
    when partner_id is null then scopes <@ array['read','write'] else scopes <@ array['partner.read','bookings'] end)
);
create index oauth_grant_by_agent on oauth_grant (agent_id, created_at desc);
create index oauth_grant_by_partner on oauth_grant (partner_id, created_at desc);
create index oauth_grant_by_client on oauth_grant (client_id);

create table oauth_token (
  hash        bytea primary key constraint oauth_token_sha256 check (octet_length(hash) = 32),
  kind        text not null constraint oauth_token_kind_known
                check (kind in ('AuthorizationCode','AccessToken','RefreshToken')),
  grant_id    text not null constraint oauth_token_grant_exists references oauth_grant on delete cascade,
  payload     jsonb not null constraint oauth_token_payload_without_token check (not payload ? 'jti'),
  expires_at  timestamptz not null,
  -- When it was exchanged. An authorization code that is used again ends its whole grant.
  consumed_at timestamptz,
  -- A refresh token may be used once more shortly afterwards. Any later use ends its grant.
  consumed_again_at timestamptz,
  constraint oauth_token_access_not_consumed check (kind <> 'AccessToken' or consumed_at is null),
  constraint oauth_token_consumed_again_after_once
    check (consumed_again_at is null or (kind = 'RefreshToken' and consumed_at is not null))
);
create index oauth_token_by_grant on oauth_token (grant_id);
create index oauth_token_age on oauth_token (expires_at);

-- An authorization request that waits for a person.
create table oauth_interaction (
  uid_hash   bytea primary key constraint oauth_interaction_sha256 check (octet_length(uid_hash) = 32),
  payload    jsonb not null constraint oauth_interaction_payload_without_uid
               check (not payload ? 'jti' and not payload ? 'returnTo'),
  expires_at timestamptz not null
);
create index oauth_interaction_age on oauth_interaction (expires_at);

-- Protocol: stored answers, ended sessions, audit log, shared secrets ------------------------------------------------

create table idempotency_key (
  -- Hash of the caller and its key. The key itself decrypts the answer and is not stored.
  key_hash     bytea primary key constraint idempotency_key_sha256 check (octet_length(key_hash) = 32),
  request_hash bytea not null constraint idempotency_request_sha256 check (octet_length(request_hash) = 32),
  status       integer not null,
  answer       bytea not null,
  -- The record that the answer describes. The answer is deleted when a person named in that record is erased.
  subject      text,
  created_at   timestamptz not null
);
create index idempotency_key_age on idempotency_key (created_at);
create index idempotency_key_subject on idempotency_key (subject) where subject is not null;

-- MCP sessions are signed tokens and not stored. This lists the few that a client ended before they expired.
create table ended_session (
  token_hash bytea primary key constraint ended_session_sha256 check (octet_length(token_hash) = 32),
  expires_at timestamptz not null
);

create table audit_log (
  sequence   bigint generated always as identity primary key,
  at         timestamptz not null,
  actor      text not null,
  operation  text not null,
  request_id text not null,
  subject    text,
  detail     jsonb not null default '{}'
);
-- The console lists the newest entries of one person, subject or operation.
create index audit_log_by_actor on audit_log (actor, sequence desc);
create index audit_log_by_subject on audit_log (subject, sequence desc);
create index audit_log_by_operation on audit_log (operation, sequence desc);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- Secrets that all nodes share, created by the first node.
create table service_secret (
  name  text primary key,
  value bytea not null constraint service_secret_length check (octet_length(value) >= 32)
);

-- Ed25519 keys that sign webhooks and callbacks. The public keys are published; the seed never leaves the database.
create table signing_key (
  kid        text primary key,
  seed       bytea not null constraint signing_key_seed_length check (octet_length(seed) = 32),
  not_before timestamptz not null,
  not_after  timestamptz
);
create unique index signing_key_one_current on signing_key ((true)) where not_after is null;

-- Metering: everything that is limited or billed ---------------------------------------------------------------------

-- One row per counted account or address and period. A counted call changes one row, whose lock keeps the minute, the
-- period and the cost exact on any number of nodes.
create table rate_window (
  -- reads: of an agent per day. calls: of a partner per month. unkeyed: of a session or an address per minute.
  -- ceiling: every other limit.
  kind            text not null,
  name            text not null,
  starts_at       timestamptz not null,
  ends_at         timestamptz not null,
  used            bigint not null constraint rate_window_used_range check (used >= 0),
  -- The last minute within the window, if it has a limit of its own. For an address: its calls without a session.
  minute_at       timestamptz,
  minute_used     integer not null default 0 constraint rate_window_minute_range check (minute_used >= 0),
  -- A thousandth of a US cent, because prices of a call are fractions of a cent.
  cost_millicents bigint not null default 0 constraint rate_window_cost_range check (cost_millicents >= 0),
  -- For each tool of a partner: calls, calls beyond the quota, and their cost.
  by_tool         jsonb constraint rate_window_by_tool_object check (jsonb_typeof(by_tool) = 'object'),
  -- The terms at the last count. A spend limit of null means that nothing is paid for.
  ceiling         bigint not null,
  minute_ceiling  integer,
  -- Calls that were made, without prefetched quota: only these are billed.
  calls_made      integer,
  tool            text,
  price           integer constraint rate_window_price_range check (price >= 0),
  spend_limit     bigint,
  -- What the last update granted. PostgreSQL before version 18 cannot return the old values of an updated row.
  granted         bigint not null default 0,
  minute_granted  integer not null default 0,
  primary key (kind, name, starts_at),
  constraint rate_window_ends check (ends_at > starts_at)
) partition by list (kind);

-- Deleted once the window has passed.
create table rate_window_expiring partition of rate_window for values in ('reads', 'ceiling') with (fillfactor = 70);
create index rate_window_age on rate_window_expiring (ends_at);

-- Billed, therefore never deleted.
create table rate_window_calls partition of rate_window (
  constraint rate_window_partner_exists foreign key (name) references partner,
  constraint rate_window_by_tool_present check (by_tool is not null)
) for values in ('calls') with (fillfactor = 50);

-- Written thousands of times a second and worthless a minute later, so a crash of the database may lose it.
create unlogged table rate_window_unkeyed partition of rate_window for values in ('unkeyed') with (fillfactor = 50);

create view partner_usage as
select w.name as partner_id, (w.starts_at at time zone 'UTC')::date as month, t.key as tool,
       (t.value->>0)::bigint as calls, (t.value->>1)::bigint as overage_calls, (t.value->>2)::bigint as cost_millicents
from rate_window w, jsonb_each(w.by_tool) t where w.kind = 'calls';

-- Directory: destinations, places and what is known about them -------------------------------------------------------

-- Wakes all nodes after a change. Each node keeps a snapshot of the directory in memory.
create function notify_directory_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('directory_changed', '');
  return null;
end $$;

create function mark_row_changed() returns trigger language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  return new;
end $$;

create table destination (
  id          text primary key constraint destination_id_form check (id ~ '^dst_[0-9a-hjkmnp-tv-z]{26}$'),
  slug        text not null constraint destination_slug_unique unique
                constraint destination_slug_form check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name        text not null constraint destination_name_present check (name <> ''),
  other_names text[] not null default '{}',
  areas       text[] not null default '{}',
  country     text not null constraint destination_country_iso2 check (country ~ '^[A-Z]{2}$'),
  timezone    text not null constraint destination_timezone_present check (timezone <> ''),
  lat         double precision not null constraint destination_lat_range check (lat between -90 and 90),
  lng         double precision not null constraint destination_lng_range check (lng between -180 and 180),
  -- The bounding box in degrees. If west is greater than east, it crosses the date line.
  west        double precision not null constraint destination_west_range check (west between -180 and 180),
  south       double precision not null,
  east        double precision not null constraint destination_east_range check (east between -180 and 180),
  north       double precision not null,
  -- The boundary, in the format of area.shape. Null: the bounding box is used.
  outline     bytea,
  created_at  timestamptz not null default now(),
  constraint destination_extent_order check (south between -90 and 90 and north between -90 and 90 and south < north)
);
create trigger destination_changed after insert or update or delete or truncate on destination
  for each statement execute function notify_directory_changed();

-- Named shapes. The position of a place decides in which part of a town, island or municipality it lies.
create table area (
  source     text not null constraint area_source_present check (source <> ''),
  source_ref text not null constraint area_source_ref_present check (source_ref <> ''),
  -- 'boundary', or the source's term for the settlement, such as suburb or island.
  kind       text not null constraint area_kind_present check (kind <> ''),
  -- Administrative level of a boundary: 8 is a municipality in most countries.
  level      smallint,
  name       text not null constraint area_name_present check (name <> ''),
  -- By language tag. Names without a language have private tags, as in place.names.
  names      jsonb not null default '{}' constraint area_names_object check (jsonb_typeof(names) = 'object'),
  -- ISO 3166-2 code of a state or province.
  region     text constraint area_region_code check (region ~ '^[A-Z]{2}-[A-Z0-9]{1,3}$'),
  population integer,
  lat        double precision not null constraint area_lat_range check (lat between -90 and 90),
  lng        double precision not null constraint area_lng_range check (lng between -180 and 180),
  -- The bounding box of the shape in degrees. Across the date line, east is greater than 180.
  west       double precision,
  south      double precision,
  east       double precision,
  north      double precision,
  -- The rings in ten-millionths of a degree (src/import/areas/shape.ts). Null: only a point is known.
  shape      bytea,
  -- As in place.
  changed_xid xid8 not null default pg_current_xact_id(),
  constraint area_source_unique primary key (source, source_ref),
  constraint area_extent_with_shape check ((shape is null) = (west is null) and (shape is null) = (south is null)
    and (shape is null) = (east is null) and (shape is null) = (north is null))
);
create index area_changes on area (changed_xid);
create index area_names on area (name);
create trigger area_marks_change before update on area for each row execute function mark_row_changed();
create trigger area_changed after insert or update or delete or truncate on area
  for each statement execute function notify_directory_changed();

-- True if all fields and origins are known and every claim is complete.
create function field_claims_known(claims jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(claims) = 'object' and not exists (
    select from jsonb_each(claims) f cross join lateral jsonb_array_elements(f.value) w
    where f.key not in ('name','kind','city','address','phone','email','website','about','languages','price_range',
                        'hours','booking')
      or w->>'by' not in ('map','provider','agent','reviewer','owner') or not w ?& array['ref','at','proof','value'])
$$;

create table place (
  id              text primary key constraint place_id_form check (id ~ '^plc_[0-9a-hjkmnp-tv-z]{26}$'),
  destination_id  text not null constraint place_destination_exists references destination,
  name            text not null constraint place_name_present check (name <> '')
                    constraint place_name_length check (char_length(name) <= 200),
  -- By language tag.
  names           jsonb not null default '{}' constraint place_names_length
                    check (not jsonb_path_exists(names, '$.* ? (@ like_regex "^.{201}" flag "s")')),
  -- The name in Latin letters, if it is written in another script.
  latin_name      text constraint place_latin_name_length check (char_length(latin_name) <= 200),
  vertical        text not null constraint place_vertical_known check (vertical in (
                    'restaurant','cafe','bar','hotel','guesthouse','hostel','spa','massage','boat','tour','market','shop',
                    'transport','taxi','event','clinic','salon','gym','beach','attraction','nightclub','other')),
  category        text not null,
  -- Other categories of the place.
  categories      text[] not null default '{}',
  cuisine         text[] not null default '{}',
  country         text not null constraint place_country_iso2 check (country ~ '^[A-Z]{2}$'),
  city            text constraint place_city_length check (char_length(city) <= 200),
  area            text constraint place_area_length check (char_length(area) <= 200),
  -- Names of the areas that contain the place, the smallest first, up to the city or island.
  areas           text[] not null default '{}',
  -- ISO 3166-2 codes of the states or provinces that contain the place, the largest first. They have holidays of their own.
  regions         text[] not null default '{}',
  address         text constraint place_address_length check (char_length(address) <= 300),
  -- Null if no source states a position. The centre of the town is never used instead.
  lat             double precision constraint place_lat_range check (lat between -90 and 90),
  lng             double precision constraint place_lng_range check (lng between -180 and 180),
  -- In E.164 form or null. A number without country code is never completed by a guess.
  phone           text constraint place_phone_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  email           text,
  website         text constraint place_website_http check (website ~* '^https?://'),
  languages       text[] not null default '{}',
  price_range     text,
  -- {text, read_at, source_url}: a price line from a page that the venue publishes.
  price_line      jsonb,
  about           text constraint place_about_length check (char_length(about) <= 5000),
  badge           text not null default 'mapped' constraint place_badge_known check (badge in ('mapped','claimed')),
  rating          numeric(2,1) constraint place_rating_range check (rating between 0 and 5),
  review_count    integer not null default 0 constraint place_review_count_range check (review_count >= 0),
  -- How much there is to see according to the source, independent of ratings.
  prominence      smallint not null default 0 constraint place_prominence_range check (prominence between 0 and 100),
  -- Facts that travellers ask for (src/directory/place/facts.ts).
  facts           jsonb not null default '{}' constraint place_facts_object check (jsonb_typeof(facts) = 'object'),
  -- Facts, cuisine and position that a second source supplied: {field: {ref, at}}. All others are from `source`.
  filled_by       jsonb not null default '{}' constraint place_filled_by_object check (jsonb_typeof(filled_by) = 'object'),
  -- {text, source, observed_at, compiled}: compiled once, so that "open now" is arithmetic.
  hours           jsonb constraint place_hours_source_known
                    check (hours ->> 'source' in ('owner','reviewer','venue_website','map','agent')),
  booking_method  text not null default 'phone' constraint place_booking_method_known
                    check (booking_method in ('request','venue_system','phone','not_through')),
  booking_url     text constraint place_booking_url_http check (booking_url ~* '^https?://'),
  booking_platform text,
  chosen_by_venue boolean not null default false,
  -- Requests for the same evening that arrive within this time are sent to the venue in one message. 0: never.
  batch_minutes   smallint not null default 15 constraint place_batch_minutes_range check (batch_minutes between 0 and 120),
  -- All values that sources state for a field, the displayed one first: {field: [{by, ref, at, proof, value}]}. A field
  -- that only `source` states has no entry.
  field_claims    jsonb not null default '{}' constraint place_field_claims_known
                    check (field_claims = '{}' or field_claims_known(field_claims)),
  -- File of the venue's own picture, named by its hash.
  listing_photo   text constraint place_listing_photo_form check (listing_photo ~ '^[0-9a-f]{64}\.(jpg|png|webp)$'),
  -- [{photo_id, by, caption}]: the approved photos of the place, the newest first. They are stored here, so that the
  -- change feed includes them.
  member_photos   jsonb not null default '[]' constraint place_member_photos_array check (jsonb_typeof(member_photos) = 'array'),
  -- Set while the place is considered closed. closure_evidence has the evidence.
  closed_at       timestamptz,
  -- Set for a listing that was never a real place. Its id answers why and since when, and the feed has a tombstone;
  -- nothing else shows it. A removed place is never open, so queries that leave out closed places need no second check.
  removed_at      timestamptz,
  removal_reason  text constraint place_removal_reason_known check (removal_reason in ('invented', 'not_a_place')),
  -- The last time that a person or a source confirmed that the place exists.
  verified_at     timestamptz,
  source          text not null constraint place_source_present check (source <> ''),
  source_ref      text not null constraint place_source_ref_present check (source_ref <> ''),
  -- The date of the source: of its last edit, otherwise of the extract. Never the time of the import.
  observed_at     timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  -- The transaction that last wrote the row. Nodes and feeds read changes by it: unlike a sequence number, it cannot
  -- become visible after a reader has passed it.
  changed_xid     xid8 not null default pg_current_xact_id(),
  constraint place_source_unique unique (source, source_ref),
  constraint place_position_whole check ((lat is null) = (lng is null)),
  constraint place_venue_system_has_url check (booking_method <> 'venue_system' or booking_url is not null),
  constraint place_removal_whole check ((removed_at is null) = (removal_reason is null)),
  constraint place_removed_not_open check (removed_at is null or closed_at is not null),
  -- The displayed value of a field is that of its first claim.
  constraint place_shows_first_claim check (field_claims = '{}' or (
    (not field_claims ? 'name' or field_claims #>> '{name,0,value}' = name)
    and (not field_claims ? 'address' or field_claims #>> '{address,0,value}' is not distinct from address)
    and (not field_claims ? 'phone' or field_claims #>> '{phone,0,value}' is not distinct from phone)
    and (not field_claims ? 'email' or field_claims #>> '{email,0,value}' is not distinct from email)
    and (not field_claims ? 'website' or field_claims #>> '{website,0,value}' is not distinct from website)
    and (not field_claims ? 'about' or field_claims #>> '{about,0,value}' is not distinct from about)
    and (not field_claims ? 'hours' or field_claims #>> '{hours,0,value,text}' is not distinct from hours->>'text')
    and (not field_claims ? 'booking' or field_claims #>> '{booking,0,value,booking_method}' = booking_method)))
);
create index place_changes on place (changed_xid);
create index place_feed on place (destination_id, id);
-- An import looks up the few of its places that are claimed or have claims of other sources.
create index place_with_claims on place (source, source_ref) where field_claims <> '{}' or badge = 'claimed';
-- Hours with dates are compiled up to a day. This finds those that reach it.
create index place_hours_until on place ((hours #>> '{compiled,until}'))
  where hours #>> '{compiled,until}' is not null;
-- Search leaves out closed and removed places. Staff find them by the beginning of the name.
create index place_closed_names on place (lower(name) text_pattern_ops) where closed_at is not null;
create index place_removed_names on place (lower(name)) where removed_at is not null;

create trigger place_marks_change before update on place for each row execute function mark_row_changed();
create trigger place_changed after insert or update or delete or truncate on place
  for each statement execute function notify_directory_changed();

-- Places that left a destination: deleted, merged or moved to another one. A place may move again, so there is one row
-- per destination that it left. Partners with a copy of the destination delete them.
create table place_removed (
  place_id       text not null,
  destination_id text not null constraint place_removed_destination_exists references destination,
  reason         text not null constraint place_removed_reason_known
                   check (reason in ('removed','moved','merged','demonstration')),
  removed_at     timestamptz not null default now(),
  changed_xid    xid8 not null default pg_current_xact_id(),
  primary key (place_id, destination_id)
);
create index place_removed_changes on place_removed (changed_xid);
create index place_removed_feed on place_removed (destination_id, place_id);

create function record_removed_places() returns trigger language plpgsql as $$
begin
  insert into place_removed (place_id, destination_id, reason)
  select id, destination_id, 'removed' from old_rows
  on conflict (place_id, destination_id) do update
    set reason = excluded.reason, removed_at = now(), changed_xid = pg_current_xact_id();
  return null;
end $$;
create trigger place_removal_recorded after delete on place referencing old table as old_rows
  for each statement execute function record_removed_places();

create function record_moved_place() returns trigger language plpgsql as $$
begin
  insert into place_removed (place_id, destination_id, reason)
  values (old.id, old.destination_id, 'moved')
  on conflict (place_id, destination_id) do update
    set reason = excluded.reason, removed_at = now(), changed_xid = pg_current_xact_id();
  return null;
end $$;
create trigger place_move_recorded after update of destination_id on place for each row
  when (old.destination_id <> new.destination_id) execute function record_moved_place();

-- Number of open places of each destination by the day of their last verification, because counting millions of places
-- takes a second. Writers only add rows, so none waits for another; the count of a day is the sum of its rows. The
-- reader combines the rows when there are many (src/directory/place-tally.ts).
create table place_tally (
  destination_id text not null constraint place_tally_destination_exists references destination on delete cascade,
  -- The day in UTC. Null: never verified.
  verified_on    date,
  places         integer not null
);
create index place_tally_destinations on place_tally (destination_id);

create function tally_places() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into place_tally
    select destination_id, (verified_at at time zone 'UTC')::date, count(*)
    from new_rows where closed_at is null group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into place_tally
    select destination_id, (verified_at at time zone 'UTC')::date, -count(*)
    from old_rows where closed_at is null group by 1, 2;
  else
    insert into place_tally
    select destination_id, (verified_at at time zone 'UTC')::date, sum(step)
    from (
      select destination_id, verified_at, 1 as step from new_rows where closed_at is null
      union all
      select destination_id, verified_at, -1 from old_rows where closed_at is null
    ) moved
    group by 1, 2 having sum(step) <> 0;
  end if;
  return null;
end $$;
create trigger place_tallied_insert after insert on place referencing new table as new_rows
  for each statement execute function tally_places();
create trigger place_tallied_update after update on place referencing old table as old_rows new table as new_rows
  for each statement execute function tally_places();
create trigger place_tallied_delete after delete on place referencing old table as old_rows
  for each statement execute function tally_places();

-- Merged records. The id of the merged one leads to the other; an import does not create again what a person merged.
create table place_merged (
  merged_id  text primary key constraint place_merged_id_form check (merged_id ~ '^plc_[0-9a-hjkmnp-tv-z]{26}$'),
  place_id   text not null constraint place_merged_into_exists references place on delete cascade,
  source     text not null,
  source_ref text not null,
  -- Null: merged by an import.
  merged_by  text constraint place_merged_by_staff references staff,
  merged_at  timestamptz not null
);
create index place_merged_into on place_merged (place_id);
create index place_merged_sources on place_merged (source, source_ref);

-- Evidence that a place has closed. It contains only evidence that is valid now; closure_ended has the rest.
create table closure_evidence (
  place_id    text not null constraint closure_evidence_place_exists references place on delete cascade,
  kind        text not null constraint closure_evidence_kind_known
                check (kind in ('website_dead','published_report','venue_said')),
  source_url  text,
  note        text not null constraint closure_evidence_note_present check (note <> ''),
  observed_at timestamptz not null,
  -- When the directory learned of it. Partners ask for closures that are new to them.
  noted_at    timestamptz not null default now(),
  primary key (place_id, kind, observed_at),
  constraint closure_evidence_report_has_source check (kind <> 'published_report' or source_url is not null)
);
create index closure_evidence_news on closure_evidence (noted_at desc, place_id);

-- Evidence that is no longer valid, and why.
create table closure_ended (
  place_id    text not null constraint closure_ended_place_exists references place on delete cascade,
  kind        text not null constraint closure_ended_kind_known
                check (kind in ('website_dead','published_report','venue_said')),
  source_url  text,
  note        text not null,
  observed_at timestamptz not null,
  ended_at    timestamptz not null,
  -- import: the place is in the map again.
  ended_by    text not null constraint closure_ended_by_known check (ended_by in ('staff','venue','website','import')),
  ended_note  text not null constraint closure_ended_note_present check (ended_note <> '')
);
create index closure_ended_by_place on closure_ended (place_id);
create index closure_ended_news on closure_ended (ended_at desc, place_id);

-- Removals of listings that were never real places, and what a restoration puts back.
create table listing_removal (
  id            bigint generated always as identity primary key,
  place_id      text not null constraint listing_removal_place_exists references place on delete cascade,
  reason        text not null,
  -- Text of the person who removed it. It is sent to the operators of its submissions.
  note          text not null,
  removed_by    text not null constraint listing_removal_by_staff references staff,
  removed_at    timestamptz not null,
  -- place.closed_at before the removal. Null: the place was open.
  closed_before timestamptz,
  restored_by   text constraint listing_removal_restored_by_staff references staff,
  restored_at   timestamptz,
  constraint listing_removal_restored_whole check ((restored_at is null) = (restored_by is null))
);
create unique index listing_removal_once on listing_removal (place_id) where restored_at is null;

-- Results of checking venues' websites. A row without last_probe_at waits for its first check.
create table website_probe (
  place_id         text primary key constraint website_probe_place_exists references place on delete cascade,
  -- The checked URL. Failures of a URL that the place no longer has do not count.
  website          text not null,
  failures         integer not null default 0 constraint website_probe_failures_range check (failures >= 0),
  first_failure_at timestamptz,
  last_probe_at    timestamptz,
  next_probe_at    timestamptz not null,
  last_result      text constraint website_probe_result_known check (last_result in ('alive','failed','unclear')),
  -- For example http_404, dns or timeout.
  last_detail      text,
  constraint website_probe_failures_dated check ((failures = 0) = (first_failure_at is null)),
  constraint website_probe_result_dated check ((last_probe_at is null) = (last_result is null))
);
create index website_probe_due on website_probe (next_probe_at);

create table menu (
  place_id   text primary key constraint menu_place_exists references place on delete cascade,
  currency   text not null constraint menu_currency_iso check (currency ~ '^[A-Z]{3}$'),
  -- [{name, items: [{name, description, price}]}] in the venue's order; prices as the venue wrote them.
  sections   jsonb not null constraint menu_sections_list check (jsonb_typeof(sections) = 'array'),
  updated_at timestamptz not null default now()
);

create table accolade (
  place_id    text not null constraint accolade_place_exists references place on delete cascade,
  title       text not null,
  year        integer,
  source_name text not null,
  source_url  text not null constraint accolade_has_source check (source_url ~* '^https?://'),
  primary key (place_id, title)
);

-- Search indexes and feed tokens contain transaction ids (changed_xid). Both must notice when the database is another
-- one, or was reset to an earlier moment.

-- Identifies the server, the database and its tables: a restored dump is another one, although it has the same names.
-- Some roles may not read the identity of the server.
create function change_source() returns text language plpgsql stable as $$
declare
  here text := (select oid from pg_database where datname = current_database()) || '/' || 'place'::regclass::oid;
begin
  return (select system_identifier from pg_control_system()) || '/' || here;
exception when insufficient_privilege then
  return here;
end $$;

-- The same with the server's timeline, which changes at a point-in-time recovery.
create function change_history() returns text language plpgsql stable as $$
begin
  return change_source() || '/' || (select timeline_id from pg_control_checkpoint());
exception when insufficient_privilege then
  return change_source();
end $$;

-- The sequence that feed tokens belong to. It gets a new id whenever transactions may have been lost, so that older
-- tokens are refused. The first id is empty.
create table change_sequence (
  one_row boolean primary key default true constraint change_sequence_one_row check (one_row),
  id      text not null,
  history text not null
);
insert into change_sequence (id, history) values ('', change_history());

-- Builds of search indexes. Each is recorded before it reads. An index whose build is not listed was built from a later
-- state than the database now has, and is discarded.
create table index_build (
  id       uuid primary key default gen_random_uuid(),
  begun_at timestamptz not null default now(),
  -- The transaction in which the index last read changes, written by that transaction. A database that was reset has an
  -- earlier one; a copied row was written by another transaction.
  followed_xid xid8
);

-- Import: map files and providers' rows ------------------------------------------------------------------------------

-- A region as one file delivered it, so that the next import can tell a closed place from one that its file does not
-- cover. A later file that contains most of its places covers it again.
create table import_area (
  id           bigint generated always as identity primary key,
  source       text not null,
  extracted_at timestamptz,
  imported_at  timestamptz not null
);

-- The region that first delivered a place. It is a separate table, so that storing it does not change the place.
create table import_area_place (
  place_id text primary key constraint import_area_place_exists references place on delete cascade,
  area_id  bigint not null constraint import_area_place_area_exists references import_area
);
create index import_area_places on import_area_place (area_id);

-- Source objects that are a place which the directory has under another reference: the building around a restaurant
-- that is also mapped as a point, or the row of a second source. Such an object is never a place of its own.
create table place_reference (
  source     text not null,
  source_ref text not null,
  place_id   text not null constraint place_reference_place_exists references place on delete cascade,
  -- Date of the last file that contained the object, by the source's own date. Null: the source states none.
  last_seen_at timestamptz,
  -- True if values that a second source states for the object are used for the place.
  contributes boolean not null default false,
  constraint place_reference_once primary key (source, source_ref)
);
create index place_references on place_reference (place_id);

-- A watched map that is no longer imported, because one of its change files cannot be used. The row is deleted when the
-- import continues.
create table map_watch_stop (
  -- The watched file, folder or URL, without credentials.
  source      text primary key constraint map_watch_stop_source_length check (char_length(source) between 1 and 2000),
  file        text not null,
  reason      text not null constraint map_watch_stop_reason_length check (char_length(reason) between 1 and 2000),
  stopped_at  timestamptz not null
);

-- Submissions of agents, decisions of reviewers ----------------------------------------------------------------------

-- A business or a promotion that an agent submitted. Its content is in its revisions.
create table submission (
  id            text primary key,
  kind          text not null constraint submission_kind_known check (kind in ('business','promo')),
  agent_id      text not null constraint submission_agent_exists references agent,
  -- The names at the time of submission: the attribution does not change with the account.
  agent_name    text not null,
  operator_name text not null,
  -- The caller's own reference: external_ref of a business, promo_ref of a promotion.
  own_ref       text,
  business_id   text constraint submission_business_exists references submission,
  status        text not null default 'pending_review' constraint submission_status_known
                  check (status in ('pending_review','approved','rejected')),
  revision      integer not null default 1 constraint submission_revision_positive check (revision > 0),
  -- The approved revision that is published, while a newer one may wait for review.
  live_revision integer,
  live_blocked_by text constraint submission_block_known check (live_blocked_by in ('business_confirmation')),
  place_id      text constraint submission_place_exists references place on delete set null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  reviewed_at   timestamptz,
  -- These two exist for the foreign keys to submission_decision.
  decided       text generated always as (nullif(status, 'pending_review')) stored,
  live_decided  text generated always as (case when live_revision is not null then 'approved' end) stored,
  constraint submission_id_form check (id ~ (case kind when 'business' then '^sub' else '^prm' end || '_[0-9a-hjkmnp-tv-z]{26}$')),
  constraint submission_ref_unique unique (agent_id, kind, own_ref),
  constraint submission_promo_has_business check ((kind = 'promo') = (business_id is not null)),
  constraint submission_live_not_ahead check (live_revision <= revision)
);
create index submission_by_agent on submission (agent_id, created_at desc, id desc);
create index submission_queue on submission (updated_at, id) where status = 'pending_review';
create index submission_by_place on submission (place_id) where place_id is not null;
create index submission_promos on submission (business_id) where business_id is not null;

create table submission_revision (
  submission_id text not null constraint submission_revision_of references submission deferrable initially deferred,
  revision      integer not null,
  content       jsonb not null constraint submission_revision_object check (jsonb_typeof(content) = 'object'),
  -- Hints for the reviewer, such as a claim without a source.
  flags         text[] not null default '{}',
  -- [{place_id, score}]: places that it may duplicate, the most likely first.
  duplicates    jsonb not null default '[]',
  -- The place that it is assumed to be, unless a reviewer decides otherwise.
  matched_place text,
  submitted_at  timestamptz not null,
  primary key (submission_id, revision)
);
-- Finds other submissions of the same venue.
create index submission_revision_name on submission_revision (lower(content->>'name'));
alter table submission add constraint submission_has_revision
  foreign key (id, revision) references submission_revision (submission_id, revision) deferrable initially deferred;

-- One decision per revision, by staff. If two reviewers decide at once, the second finds a row.
create table submission_decision (
  submission_id text not null,
  revision      integer not null,
  decision      text not null constraint submission_decision_known check (decision in ('approved','rejected')),
  decided_by    text not null constraint submission_decision_by_staff references staff,
  reason_code   text,
  reason_text   text,
  fix_hint      text,
  decided_at    timestamptz not null,
  constraint submission_decision_once primary key (submission_id, revision),
  constraint submission_decision_exact unique (submission_id, revision, decision),
  constraint submission_decision_of_revision
    foreign key (submission_id, revision) references submission_revision (submission_id, revision),
  constraint submission_decision_rejected_with_reason check ((decision = 'rejected') = (reason_code is not null))
);
create index submission_decision_time on submission_decision (decided_at);

-- A revision becomes approved, rejected or published only by a person's decision about this revision.
alter table submission
  add constraint submission_decided_by_person
    foreign key (id, revision, decided) references submission_decision (submission_id, revision, decision),
  add constraint submission_live_by_person
    foreign key (id, live_revision, live_decided) references submission_decision (submission_id, revision, decision);

create trigger submission_revision_append_only before update or delete on submission_revision
  for each statement execute function refuse_change();
create trigger submission_decision_append_only before update or delete on submission_decision
  for each statement execute function refuse_change();

-- Truncating an empty table is allowed, because truncating the directory reaches these tables through foreign keys.
create function refuse_truncate() returns trigger language plpgsql as $$
declare
  has_rows boolean;
begin
  execute format('select exists (select 1 from %I)', tg_table_name) into has_rows;
  if has_rows then
    raise exception '% is permanent', tg_table_name
      using errcode = 'restrict_violation', constraint = 'submission_permanent';
  end if;
  return null;
end $$;
create trigger submission_not_truncated before truncate on submission
  for each statement execute function refuse_truncate();
create trigger submission_revision_not_truncated before truncate on submission_revision
  for each statement execute function refuse_truncate();
create trigger submission_decision_not_truncated before truncate on submission_decision
  for each statement execute function refuse_truncate();

-- A submission is never deleted, and its submitter never changes.
create function protect_submission() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
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
create trigger submission_attribution_permanent before update or delete on submission
  for each row execute function protect_submission();

-- Rejection of a submission after its approval: the venue denied the operator, or the place does not exist. It applies
-- to all revisions up to this one. A later revision is reviewed as usual.
create table submission_takedown (
  submission_id text not null constraint submission_takedown_of references submission,
  revision      integer not null,
  -- The published revision. Null: none was published.
  live_revision integer,
  place_id      text constraint submission_takedown_place_exists references place on delete set null,
  reason_code   text not null constraint submission_takedown_reason_known
                  check (reason_code in ('relationship_denied', 'not_a_real_place')),
  reason_text   text not null,
  fix_hint      text not null,
  -- 'venue', or the id of the member of staff.
  taken_down_by text not null,
  taken_down_at timestamptz not null,
  restored_at   timestamptz,
  primary key (submission_id, revision)
);
create index submission_takedown_by_place on submission_takedown (place_id) where restored_at is null;

create function refuse_live_takedown() returns trigger language plpgsql as $$
begin
  if exists (select from submission_takedown t where t.submission_id = new.id and t.restored_at is null
             and t.revision >= new.live_revision) then
    raise exception 'a submission that was taken down is not live'
      using errcode = 'check_violation', constraint = 'submission_taken_down_not_live';
  end if;
  return new;
end $$;
create trigger submission_taken_down_not_live before update of live_revision on submission
  for each row when (new.live_revision is not null) execute function refuse_live_takedown();

-- The question to a business whether an agent acts for it. The listing is published only after a yes.
create table business_confirmation (
  submission_id text not null,
  revision      integer not null,
  token_hash    bytea not null constraint business_confirmation_token_unique unique
                  constraint business_confirmation_sha256 check (octet_length(token_hash) = 32),
  -- The transport of the question, by its name in messages/message-channels.ts. Null: the desk asks.
  channel       text constraint business_confirmation_channel_form check (channel ~ '^[a-z][a-z_]{0,30}$'),
  contact       text,
  -- The place that it updates after a yes. Null: a new place.
  target_place  text,
  asked_at      timestamptz not null,
  answer        text constraint business_confirmation_answer_known check (answer in ('yes','no')),
  answered_at   timestamptz,
  -- 'business', or the member of staff who asked by phone.
  answered_by   text,
  primary key (submission_id, revision),
  constraint business_confirmation_of_revision
    foreign key (submission_id, revision) references submission_revision (submission_id, revision),
  constraint business_confirmation_contact_given check ((channel is null) = (contact is null)),
  constraint business_confirmation_answer_whole check (num_nonnulls(answer, answered_at, answered_by) in (0, 3))
);

-- Work for the desk where no published contact exists: find a contact of the business and ask.
create table desk_task (
  id            bigint generated always as identity primary key,
  kind          text not null constraint desk_task_kind_known check (kind in ('verify_owner','confirm_business')),
  submission_id text not null constraint desk_task_submission_exists references submission,
  revision      integer not null,
  created_at    timestamptz not null,
  done_at       timestamptz,
  done_by       text constraint desk_task_by_staff references staff,
  note          text,
  constraint desk_task_once unique (kind, submission_id, revision),
  constraint desk_task_done_by_person check ((done_at is null) = (done_by is null))
);
create index desk_task_open on desk_task (created_at) where done_at is null;

-- Venue: claims, sign-in and edits of venues -------------------------------------------------------------------------

-- Contacts that the desk verified as the venue's own.
create table vouched_contact (
  place_id     text not null constraint vouched_contact_place_exists references place on delete cascade,
  channel      text not null constraint vouched_contact_channel_form check (channel ~ '^[a-z][a-z_]{0,30}$'),
  contact      text not null constraint vouched_contact_contact_present check (contact <> ''),
  vouched_by   text not null constraint vouched_contact_vouched_by_staff references staff,
  primary key (place_id, channel, contact)
);

-- Codes with which a venue claims its listing or signs in. Each belongs to the browser that requested it, so that nobody
-- else can use it up or replace it.
create table claim_code (
  place_id     text not null constraint claim_code_place_exists references place on delete cascade,
  channel      text not null constraint claim_code_channel_form check (channel ~ '^[a-z][a-z_]{0,30}$'),
  contact      text not null constraint claim_code_contact_present check (contact <> ''),
  browser      bytea not null constraint claim_code_browser_sha256 check (octet_length(browser) = 32),
  requested_from text not null,
  -- Null after it was used, or after too many wrong tries.
  code_hash    bytea constraint claim_code_sha256 check (octet_length(code_hash) = 32),
  sent_at      timestamptz not null,
  expires_at   timestamptz not null,
  tries        integer not null default 0 constraint claim_code_tries_range check (tries >= 0),
  locked_until timestamptz,
  primary key (place_id, channel, contact, browser)
);
create index claim_code_age on claim_code (expires_at);

create table venue_claim (
  place_id   text primary key constraint venue_claim_place_exists references place on delete cascade,
  -- The contact for later sign-in codes, whatever is published by then.
  channel    text not null constraint venue_claim_channel_form check (channel ~ '^[a-z][a-z_]{0,30}$'),
  contact    text not null,
  claimed_at timestamptz not null
);

create table venue_session (
  token_hash bytea primary key constraint venue_session_sha256 check (octet_length(token_hash) = 32),
  place_id   text not null constraint venue_session_claimed references venue_claim on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index venue_session_age on venue_session (expires_at);

-- The venue's answer whether an operator acts for it. Without a yes, the operator's values are those of a third party.
create table venue_representative (
  place_id    text not null constraint venue_representative_claimed references venue_claim on delete cascade,
  agent_id    text not null constraint venue_representative_agent_exists references agent,
  answer      text not null constraint venue_representative_answer_known check (answer in ('yes','no')),
  answered_at timestamptz not null,
  primary key (place_id, agent_id)
);

-- Changes by the venue, with the values before, so that they can be undone.
create table venue_edit (
  id        bigint generated always as identity primary key,
  place_id  text not null constraint venue_edit_place_exists references place on delete cascade,
  part      text not null constraint venue_edit_part_known
              check (part in ('hours','menu','about','booking','photo','contacts')),
  before    jsonb not null,
  after     jsonb not null,
  edited_at timestamptz not null,
  undone_at timestamptz
);
create index venue_edit_by_place on venue_edit (place_id, id desc);

-- Jobs, messages and callbacks ---------------------------------------------------------------------------------------

-- One row per process that runs jobs. Jobs of a process that is no longer seen are given to others.
create table job_runner (
  id            text primary key,
  seen_at       timestamptz not null default now(),
  -- The node, the kind of jobs, and since when jobs of this kind make no progress. The console of every node shows it.
  node          text,
  kind          text,
  stalled_since timestamptz
);

-- The outbox of mails and text messages.
create table message (
  id           text primary key constraint message_id_form check (id ~ '^msg_[0-9a-hjkmnp-tv-z]{26}$'),
  sequence     bigint generated always as identity constraint message_sequence_unique unique,
  channel      text not null constraint message_channel_form check (channel ~ '^[a-z][a-z_]{0,30}$'),
  recipient    text not null constraint message_recipient_present check (recipient <> ''),
  subject      text not null,
  -- Contains codes and links, so it is deleted when the message has ended.
  body         text,
  -- A message about tables consists of parts, [{about, text, nameless}], each about one booking or none (the link). The
  -- body is their texts joined. When a guest is erased, the part gets its nameless text; the parts of other guests stay.
  parts        jsonb constraint message_parts_array check (jsonb_typeof(parts) = 'array'),
  purpose      text not null constraint message_purpose_present check (purpose <> ''),
  subject_id   text not null,
  -- unsure: it may have been sent. Messages about bookings are then not sent again, because a venue is never asked twice.
  state        text not null default 'queued' constraint message_state_known
                 check (state in ('queued','outbox','sending','sent','unsure','failed')),
  attempts     integer not null default 0,
  -- A worker is sending until this time. After it, the worker is considered dead.
  leased_until timestamptz,
  last_error   text,
  -- True for messages about bookings: they wait while the kill switch is on.
  stops_when_halted boolean not null default false,
  on_finish    text,
  created_at   timestamptz not null,
  finished_at  timestamptz,
  constraint message_body_only_until_final check ((body is null) = (state in ('sent','unsure','failed'))),
  constraint message_parts_need_body check (parts is null or body is not null),
  constraint message_final_has_time check ((finished_at is not null) = (state in ('sent','unsure','failed'))),
  constraint message_sending_has_lease check ((leased_until is not null) = (state = 'sending')),
  constraint message_unsure_only_of_booking check (state <> 'unsure' or stops_when_halted)
);
create index message_by_subject on message (subject_id, sequence);
create index message_halted on message (id) where stops_when_halted and state = 'queued';
-- Backlog counts and the hourly deletion must not read all messages.
create index message_age on message (created_at);
create index message_pending on message (channel, created_at) where state in ('queued','sending');
create index message_in_outbox on message (created_at) where state = 'outbox';
create index message_with_parts on message (sequence) where parts is not null;

-- The parts are deleted together with the body.
create function drop_message_parts() returns trigger language plpgsql as $$
begin
  new.parts := null;
  return new;
end $$;
create trigger message_parts_removed_with_body before update of body on message for each row
  when (new.body is null and new.parts is not null) execute function drop_message_parts();

-- Signed calls to agents about review decisions.
create table callback_delivery (
  id               text primary key constraint callback_delivery_id_form check (id ~ '^msg_[0-9a-hjkmnp-tv-z]{26}$'),
  sequence         bigint generated always as identity constraint callback_delivery_sequence_unique unique,
  agent_id         text not null constraint callback_delivery_agent_exists references agent,
  subject_id       text not null,
  url              text not null,
  event            text not null constraint callback_delivery_event_known
                     check (event in ('submission.approved','submission.rejected')),
  -- Erased some time after the delivery has ended.
  data             jsonb,
  state            text not null default 'pending' constraint callback_delivery_state_known
                     check (state in ('pending','delivered','given_up')),
  attempts         integer not null default 0,
  leased_until     timestamptz,
  last_http_status integer,
  last_error       text,
  created_at       timestamptz not null,
  finished_at      timestamptz,
  constraint callback_delivery_final_has_time check ((finished_at is not null) = (state <> 'pending')),
  constraint callback_delivery_pending_has_data check (state <> 'pending' or data is not null)
);
create index callback_delivery_by_subject on callback_delivery (subject_id, sequence);
create index callback_delivery_pending on callback_delivery (created_at) where state = 'pending';

-- Members ------------------------------------------------------------------------------------------------------------

-- A person who joined. An erased member leaves an empty row, so that references stay valid.
create table member (
  id           text primary key constraint member_id_form check (id ~ '^mem_[0-9a-hjkmnp-tv-z]{26}$'),
  email        text constraint member_email_lower check (email = lower(email))
                 constraint member_email_unique unique,
  -- The name that venues see. It is requested after the first sign-in.
  display_name text constraint member_display_name_length check (char_length(display_name) between 1 and 80)
                 constraint member_display_name_no_contact check (not contains_contact(display_name)),
  created_at   timestamptz not null,
  forgotten_at timestamptz,
  constraint member_forgotten_is_empty check (
    (forgotten_at is null and email is not null)
    or (forgotten_at is not null and email is null and display_name is null))
);

create table member_session (
  token_hash bytea primary key constraint member_session_sha256 check (octet_length(token_hash) = 32),
  member_id  text not null constraint member_session_member_exists references member on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint member_session_ends check (expires_at > created_at)
);
create index member_session_age on member_session (expires_at);
create index member_session_by_member on member_session (member_id);

-- The code with which a member lets one partner request tables in the member's name. Only the newest is valid.
create table member_link_code (
  member_id  text primary key constraint member_link_code_member_exists references member on delete cascade,
  code_hash  bytea not null constraint member_link_code_sha256 check (octet_length(code_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint member_link_code_ends check (expires_at > created_at)
);

create table member_link (
  member_id  text not null constraint member_link_member_exists references member on delete cascade,
  partner_id text not null constraint member_link_partner_exists references partner on delete cascade,
  linked_at  timestamptz not null,
  primary key (member_id, partner_id)
);
create index member_link_by_partner on member_link (partner_id);

-- Bookings: the service asks, the venue decides. No column of any table stores a guest's contact ----------------------

-- One row. Workers and writers read it in the transaction in which they act.
create table kill_switch (
  one      boolean primary key default true constraint kill_switch_one_row check (one),
  halted   boolean not null default false,
  since    timestamptz not null default now(),
  by_staff text constraint kill_switch_staff_exists references staff on delete set null,
  reason   text,
  constraint kill_switch_halt_has_reason check (not halted or reason <> '')
);
insert into kill_switch default values;

-- Returns whether bookings are halted and keeps that state until the transaction ends: a flip waits for it. Advisory
-- locks queue in order, so a flip is next after the transactions under way, however many follow. It is called after a
-- step was claimed, so it waits for a flip even in jobs, whose other statements give up on locks quickly.
create function hold_kill_switch() returns boolean language plpgsql set lock_timeout = 0 as $$
begin
  perform pg_advisory_xact_lock_shared(7013, 1);
  return (select halted from kill_switch);
end $$;

-- The same for short transactions that only write; they need not wait for actions under way.
create function read_kill_switch() returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7013, 2);
  return (select halted from kill_switch);
end $$;

-- The locks that a flip takes before it writes.
create function lock_kill_switch() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7013, 1);
  perform pg_advisory_xact_lock(7013, 2);
  perform from kill_switch for update;
end $$;

create table booking (
  id              text primary key constraint booking_id_form check (id ~ '^bkg_[0-9a-hjkmnp-tv-z]{26}$'),
  partner_id      text not null constraint booking_partner_exists references partner,
  -- Not a foreign key: places may be merged or deleted, bookings stay.
  place_id        text not null,
  status          text not null constraint booking_status_known check (status in (
                    'sent','asking','offered','confirmed','declined','no_answer','cancelled')),
  booked          boolean generated always as (status = 'confirmed') stored,
  revision        integer not null default 1 constraint booking_revision_range check (revision >= 1),
  last_sequence   integer not null constraint booking_sequence_range check (last_sequence >= 1),
  date            date not null,
  time            text not null constraint booking_time_form check (time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  party_size      integer not null constraint booking_party_size_range check (party_size between 1 and 30),
  timezone        text not null,
  -- The instant of date and time.
  table_at        timestamptz not null,
  for_type        text not null constraint booking_for_known check (for_type in ('guest','member')),
  member_id       text constraint booking_member_exists references member,
  guest_name      text not null constraint booking_guest_name_length check (char_length(guest_name) between 1 and 80)
                    constraint booking_guest_name_no_contact check (not contains_contact(guest_name)),
  notes           text constraint booking_notes_length check (char_length(notes) between 1 and 280)
                    constraint booking_notes_no_contact check (not contains_contact(notes)),
  -- The name of a channel in bookings/channels/channels.ts. The schema does not list them, so that a channel can be
  -- added without a migration.
  channel         text not null constraint booking_channel_form check (channel ~ '^[a-z][a-z_]{0,30}$'),
  answer_by       timestamptz,
  -- The table that the venue confirmed, while a change to another one is requested: {date, time, party_size, ref, by, at}.
  held            jsonb,
  confirmed_at    timestamptz,
  confirmed_by    text constraint booking_confirmed_by_known
                    check (confirmed_by in ('venue','venue_system','desk')),
  confirmed_ref   text constraint booking_confirmed_ref_length check (char_length(confirmed_ref) <= 200),
  reverted        boolean not null default false,
  accepted_offer  text,
  reason          text constraint booking_reason_length check (char_length(reason) <= 200)
                    constraint booking_reason_no_contact check (not contains_contact(reason)),
  -- The tables that the venue is asked to release after a cancellation, the confirmed one first:
  -- [{date, time, party_size}]. There are two if a change was requested; date and time above are then those of the change.
  released        jsonb,
  -- Set while the kill switch stops contact with the venue.
  frozen_at       timestamptz,
  -- When the name and the notes were erased.
  erased_at       timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  constraint booking_member_has_id check ((for_type = 'member') = (member_id is not null)),
  -- No booking is confirmed without the venue's recorded yes.
  constraint booking_confirmed_by_venue check (status <> 'confirmed' or (confirmed_at is not null and confirmed_by is not null)),
  constraint booking_held_only_while_open check (held is null or status in ('asking','offered')),
  constraint booking_accepted_only_while_offered check (accepted_offer is null or status = 'offered'),
  constraint booking_released_only_when_cancelled
    check (released is null or (status = 'cancelled' and jsonb_typeof(released) = 'array')),
  constraint booking_frozen_only_while_open check (frozen_at is null or status in ('sent','asking','offered'))
);
create index booking_by_partner on booking (partner_id, id desc);
create index booking_by_member on booking (member_id, id desc) where member_id is not null;
create index booking_by_place on booking (place_id, table_at);
create index booking_by_date on booking (date, id desc);
create index booking_open on booking (status) where status in ('sent','asking','offered');
create index booking_to_erase on booking (table_at) where erased_at is null;
-- Tables of a venue's own system are checked until their time.
create index booking_watched on booking (table_at) where status = 'confirmed' and confirmed_by = 'venue_system';

-- An erased name stays erased, even if a writer read the booking before.
create function keep_booking_erased() returns trigger language plpgsql as $$
begin
  new.guest_name := 'guest';
  new.notes := null;
  new.erased_at := coalesce(new.erased_at, old.erased_at);
  return new;
end $$;
create trigger booking_stays_erased before update on booking for each row
  when (old.erased_at is not null) execute function keep_booking_erased();

-- The timeline: events in order, each with a hash that includes the entry before.
create table booking_entry (
  booking_id  text not null constraint booking_entry_booking_exists references booking on delete cascade,
  sequence    integer not null constraint booking_entry_sequence_range check (sequence >= 1),
  at          timestamptz not null,
  -- callback_wanted: the venue wants to offer another time by phone, so a person calls it.
  event       text not null constraint booking_entry_event_known check (event in (
                'sent','asking','offered','confirmed','declined','no_answer','cancelled',
                'channel_failed','reminder_sent','late_answer','no_show_reported','change_asked','offer_taken',
                'venue_told','notes_changed','callback_wanted')),
  from_status text,
  to_status   text not null,
  actor       text not null constraint booking_entry_actor_known
                check (actor in ('partner','venue','venue_system','desk','service')),
  channel     text constraint booking_entry_channel_form check (channel ~ '^[a-z][a-z_]{0,30}$'),
  revision    integer not null,
  text        text not null,
  hash        bytea not null constraint booking_entry_sha256 check (octet_length(hash) = 32),
  primary key (booking_id, sequence),
  -- A move has the name of its new status. All other events leave the status unchanged.
  constraint booking_entry_names_its_move check (
    case when event in ('sent','asking','offered','confirmed','declined','no_answer','cancelled')
         then event = to_status and (from_status is null) = (event = 'sent')
              and from_status is distinct from to_status
         else from_status is not distinct from to_status end)
);
create trigger booking_entry_append_only before update or truncate on booking_entry
  for each statement execute function refuse_change();

-- The allowed moves. src/bookings/moves.ts also states who may make them and when.
create table booking_move (
  from_status text not null,
  to_status   text not null,
  primary key (from_status, to_status)
);
insert into booking_move (from_status, to_status) values
  ('sent','asking'), ('sent','cancelled'),
  ('asking','offered'), ('asking','confirmed'), ('asking','declined'), ('asking','no_answer'), ('asking','cancelled'),
  ('offered','confirmed'), ('offered','asking'), ('offered','declined'), ('offered','cancelled'),
  ('confirmed','asking'), ('confirmed','cancelled');

create function check_booking_move() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'sent' then
      raise exception 'a booking begins as sent' using errcode = 'check_violation', constraint = 'booking_begins_sent';
    end if;
  elsif new.status <> old.status
    and not exists (select from booking_move where from_status = old.status and to_status = new.status)
    -- A venue may undo its no for two minutes. That reverts the end of the booking and is not a move.
    and not (old.status = 'declined' and new.status = 'asking'
             and exists (select from venue_undo u where u.booking_id = new.id and u.sequence = old.last_sequence)) then
    raise exception 'a booking does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'booking_move_legal';
  end if;
  return new;
end $$;
create trigger booking_move_legal before insert or update of status on booking
  for each row execute function check_booking_move();

-- A move without its timeline entry, or with an entry that differs, does not commit.
create function check_booking_timeline() returns trigger language plpgsql as $$
begin
  if not exists (
    select from booking b join booking_entry e on e.booking_id = b.id
    where b.id = new.id and e.sequence = b.last_sequence and e.to_status = b.status
      and not exists (select from booking_entry later where later.booking_id = b.id and later.sequence > b.last_sequence))
  then
    raise exception 'the timeline of % does not match its status', new.id
      using errcode = 'check_violation', constraint = 'booking_timeline_matches';
  end if;
  return null;
end $$;
create constraint trigger booking_timeline_matches after insert or update of status, last_sequence on booking
  deferrable initially deferred for each row execute function check_booking_timeline();

create table booking_offer (
  id          text primary key constraint booking_offer_id_form check (id ~ '^off_[0-9a-hjkmnp-tv-z]{26}$'),
  booking_id  text not null constraint booking_offer_booking_exists references booking on delete cascade,
  revision    integer not null,
  date        date not null,
  time        text not null constraint booking_offer_time_form check (time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  party_size  integer not null constraint booking_offer_party_size_range check (party_size between 1 and 30),
  table_at    timestamptz not null,
  note        text constraint booking_offer_note_length check (char_length(note) <= 280),
  made_by     text not null constraint booking_offer_made_by_known check (made_by in ('venue','venue_system','desk')),
  -- The venue's order. Offers are listed in this order everywhere.
  rank        integer not null default 0 constraint booking_offer_rank_range check (rank >= 0),
  -- Reference of a table that the venue's system holds until the offer is accepted or not.
  ref         text constraint booking_offer_ref_length check (char_length(ref) <= 200)
                constraint booking_offer_ref_of_system check (ref is null or made_by = 'venue_system'),
  expires_at  timestamptz not null,
  state       text not null default 'open' constraint booking_offer_state_known
                check (state in ('open','accepted','lapsed','withdrawn','superseded')),
  created_at  timestamptz not null
);
create index booking_offer_by_booking on booking_offer (booking_id, id);

-- One row per step of contacting a venue, claimed and committed before anything is sent. A venue is never asked twice for
-- the same revision and step, whatever crashes.
create table venue_ask (
  id          bigint generated always as identity primary key,
  booking_id  text not null constraint venue_ask_booking_exists references booking on delete cascade,
  revision    integer not null,
  -- notify_*: notifications that need no answer.
  step        text not null constraint venue_ask_step_known check (step in (
                'ask','accept','reminder','notify_cancelled','notify_accepted','notify_kept')),
  channel     text not null constraint venue_ask_channel_form check (channel ~ '^[a-z][a-z_]{0,30}$'),
  -- queued: to be done. sending: claimed, under way until its lease ends. posted: in the outbox. waiting: on the desk's
  -- list. pending: the venue's system has not decided, or not reported whether it acted; it is queried again, a
  -- notification also after the booking has ended. answered: the venue answered. ended: no answer is needed any more.
  state       text not null default 'sending' constraint venue_ask_state_known check (state in (
                'queued','sending','posted','waiting','asked','pending','answered','failed','ended')),
  claimed_at  timestamptz not null,
  -- By the clock of the database, which all nodes share. After it, the sender is considered dead.
  leased_until timestamptz,
  asked_at    timestamptz,
  polls       integer not null default 0,
  polled_at   timestamptz,
  -- The desk's list: who works on it, and when it may be tried (again).
  taken_by    text constraint venue_ask_taken_by_exists references staff on delete set null,
  taken_at    timestamptz,
  not_before  timestamptz,
  -- The channel's reference: of a call, or of a booking in the venue's system.
  ref         text,
  message_id  text,
  detail      text,
  -- Why a partner cancels a confirmed table, stored with the step that cancels it in the venue's system, so that the
  -- cancellation can be finished after a crash.
  reason      text constraint venue_ask_reason_length check (char_length(reason) <= 200)
                constraint venue_ask_reason_no_contact check (not contains_contact(reason)),
  -- The ask whose message and link this one shares.
  batched_with bigint constraint venue_ask_batched_with_exists references venue_ask on delete set null,
  -- SHA-256 of the token of the tap page. The page ends with the ask.
  token_hash  bytea constraint venue_ask_token_sha256 check (octet_length(token_hash) = 32)
                constraint venue_ask_token_unique unique,
  constraint venue_ask_once unique (booking_id, revision, step, channel)
);
create index venue_ask_by_message on venue_ask (message_id) where message_id is not null;
create index venue_ask_by_ref on venue_ask (ref) where ref is not null;
create index venue_ask_queued on venue_ask (booking_id) where state = 'queued';
create index venue_ask_undecided on venue_ask (booking_id) where state in ('sending','pending');
create index venue_ask_batched on venue_ask (batched_with) where batched_with is not null;
create index venue_ask_by_channel on venue_ask (channel, claimed_at) where state in ('waiting','asked');

-- The last answer of a venue, while it may be undone.
create table venue_undo (
  booking_id text primary key constraint venue_undo_booking_exists references booking on delete cascade,
  -- The timeline entry of the answer. With a later entry, the answer can no longer be undone.
  sequence   integer not null,
  actor      text not null,
  until      timestamptz not null,
  -- The booking and its place before the answer.
  before     jsonb not null
);

-- A venue's own reservation system, called over the Booking Server API v3.
create table venue_connector (
  place_id             text primary key constraint venue_connector_place_exists references place on delete cascade,
  base_url             text not null constraint venue_connector_url_http check (base_url ~* '^https?://'),
  merchant_id          text not null,
  service_id           text not null,
  username             text not null,
  -- Encrypted by core/seal.ts.
  password             bytea not null,
  duration_sec         integer not null default 5400 constraint venue_connector_duration_range check (duration_sec > 0),
  -- Only venues that accept the desk's contact instead of the guest's are asked over this channel.
  accepts_desk_contact boolean not null default false,
  enabled              boolean not null default true,
  created_at           timestamptz not null,
  updated_at           timestamptz not null
);

-- Daily verification of all timelines. The rows show since when something is wrong.
create table timeline_check (
  id       bigint generated always as identity primary key,
  began_at timestamptz not null,
  -- Null while it runs.
  ended_at timestamptz,
  -- The last booking that was checked.
  reached  text not null default '',
  bookings integer not null default 0,
  entries  bigint not null default 0,
  broken   integer not null default 0,
  -- The first of them: [{booking_id, sequence, what}].
  faults   jsonb not null default '[]'
);
create unique index timeline_check_one_under_way on timeline_check ((true)) where ended_at is null;
create index timeline_check_by_end on timeline_check (ended_at desc) where ended_at is not null;

-- A drill turns the kill switch on for a few seconds and measures how long contact with venues continues. All times are
-- those of the database, which all nodes share.
create table kill_switch_drill (
  id          bigint generated always as identity primary key,
  by_staff    text constraint kill_switch_drill_staff_exists references staff on delete set null,
  started_at  timestamptz not null default clock_timestamp(),
  -- When the flip was requested and when it was done: read while the switch is still locked exclusively, so an action
  -- that ends later was not waited for.
  asked_at    timestamptz,
  answered_at timestamptz,
  -- When the switch began to be turned off again.
  resumed_at  timestamptz,
  ended_at    timestamptz,
  -- Number of bookings that were frozen.
  frozen      integer,
  -- Counted at the end: actions recorded up to the answer, those under way at the request, the end of the last one, and
  -- those that continued or began after the answer.
  actions     integer,
  in_flight   integer,
  last_at     timestamptz,
  after_answer integer,
  constraint kill_switch_drill_answer_was_asked check (answered_at is null or asked_at <= answered_at),
  constraint kill_switch_drill_end_has_counts check (
    ended_at is null or answered_at is null or (actions, in_flight, after_answer) is not null)
);
create unique index kill_switch_drill_one_at_a_time on kill_switch_drill ((true)) where ended_at is null;

-- Contacts with venues during a drill. Each is written outside other transactions, so that no rollback removes it.
create table outbound_action (
  id       bigint generated always as identity primary key,
  drill_id bigint not null constraint outbound_action_drill_exists references kill_switch_drill on delete cascade,
  channel  text not null constraint outbound_action_channel_form check (channel ~ '^[a-z][a-z_]{0,30}$'),
  begun_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint outbound_action_ends_after_begin check (ended_at >= begun_at)
);
create index outbound_action_by_drill on outbound_action (drill_id);

-- One rating per confirmed table whose date has passed: stars only.
create table place_rating (
  booking_id text primary key constraint place_rating_booking_exists references booking on delete cascade,
  place_id   text not null constraint place_rating_place_exists references place on delete cascade,
  -- Null after the member was erased; the stars still count.
  member_id  text constraint place_rating_member_exists references member,
  stars      integer not null constraint place_rating_stars_range check (stars between 1 and 5),
  rated_at   timestamptz not null
);
create index place_rating_by_place on place_rating (place_id) include (stars);
create index place_rating_by_member on place_rating (member_id);

create function place_rating_by_guest() returns trigger language plpgsql as $$
begin
  perform from booking b
  where b.id = new.booking_id and b.status = 'confirmed' and b.member_id = new.member_id and b.table_at < new.rated_at;
  if not found then
    raise exception 'only the member of a confirmed table whose time has passed may rate it'
      using errcode = 'check_violation', constraint = 'place_rating_by_guest';
  end if;
  return new;
end $$;
create trigger place_rating_by_guest before insert on place_rating
  for each row execute function place_rating_by_guest();

-- Webhooks: partners' endpoints and deliveries of booking moves ------------------------------------------------------

create table webhook_endpoint (
  partner_id      text primary key constraint webhook_endpoint_partner_exists references partner on delete cascade,
  url             text not null constraint webhook_endpoint_url_length check (char_length(url) between 9 and 2048),
  -- Encrypted with a secret of the installation. After a rotation, the previous secret also signs for a day.
  sealed_secret   bytea not null,
  sealed_previous bytea,
  previous_until  timestamptz,
  disabled_reason text constraint webhook_endpoint_disabled_known check (disabled_reason in ('disabled_by_receiver')),
  created_at      timestamptz not null,
  changed_at      timestamptz not null,
  constraint webhook_endpoint_previous_whole check ((sealed_previous is null) = (previous_until is null))
);

-- One row per move of a booking, or per test event, which belongs to no booking.
create table webhook_delivery (
  id               text primary key constraint webhook_delivery_id_form check (id ~ '^msg_[0-9a-hjkmnp-tv-z]{26}$'),
  number           bigint generated always as identity constraint webhook_delivery_number_unique unique,
  partner_id       text not null constraint webhook_delivery_partner_exists references partner on delete cascade,
  booking_id       text,
  sequence         integer not null constraint webhook_delivery_sequence_positive check (sequence >= 0),
  event            text not null constraint webhook_delivery_event_known
                     check (event in ('sent','asking','offered','confirmed','declined','no_answer','cancelled','test')),
  -- json, not jsonb, so that every attempt sends the same bytes. Erased some time after the delivery has ended.
  data             json,
  state            text not null default 'pending' constraint webhook_delivery_state_known
                     check (state in ('pending','delivered','given_up')),
  attempts         integer not null default 0,
  -- An attempt is under way until this time. After it, the worker is considered dead.
  leased_until     timestamptz,
  -- True if it is due but must wait for an earlier delivery, which queues it. All other pending deliveries have a job.
  held             boolean not null default false,
  last_http_status integer,
  error            text constraint webhook_delivery_error_known check (error in (
                     'timeout','tls','dns','blocked_address','connection','redirect','too_large','endpoint_removed',
                     'endpoint_disabled')),
  created_at       timestamptz not null,
  first_attempt_at timestamptz,
  last_attempt_at  timestamptz,
  next_attempt_at  timestamptz,
  finished_at      timestamptz,
  constraint webhook_delivery_once_per_move unique (partner_id, booking_id, sequence),
  constraint webhook_delivery_test_without_booking check ((event = 'test') = (booking_id is null)),
  constraint webhook_delivery_final_has_time check ((finished_at is not null) = (state <> 'pending')),
  constraint webhook_delivery_pending_has_next check ((next_attempt_at is not null) = (state = 'pending')),
  constraint webhook_delivery_lease_while_pending check (leased_until is null or state = 'pending'),
  constraint webhook_delivery_held_while_pending check (not held or state = 'pending'),
  constraint webhook_delivery_pending_has_data check (state <> 'pending' or data is not null)
);
create index webhook_delivery_newest on webhook_delivery (partner_id, number desc);
create index webhook_delivery_held on webhook_delivery (partner_id, number) where held;
create index webhook_delivery_pending on webhook_delivery (partner_id) where state = 'pending';
create index webhook_delivery_under_way on webhook_delivery (partner_id) where leased_until is not null;
create index webhook_delivery_of_booking on webhook_delivery (booking_id, sequence) where state = 'pending';
create index webhook_delivery_age on webhook_delivery (finished_at) where data is not null;

-- Photos of travellers -----------------------------------------------------------------------------------------------

create table photo (
  id         text primary key constraint photo_id_form check (id ~ '^pho_[0-9a-hjkmnp-tv-z]{26}$'),
  member_id  text not null constraint photo_member_exists references member,
  -- Null after the place was deleted. Such a photo is offered nowhere.
  place_id   text constraint photo_place_exists references place on delete set null,
  state      text not null default 'processing' constraint photo_state_known check (state in (
               'processing','refused','to_check','approved','rejected','live','ended','withdrawn')),
  -- Why the file could not be used, if the state is refused.
  refusal    text,
  caption    text not null default '' constraint photo_caption_length check (char_length(caption) <= 200),
  -- Only the month of the picture is stored, and no position except the place.
  month      text constraint photo_month_form check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- Width, height, hash and size are those of the cleaned full-size file, which licensees get.
  width      integer,
  height     integer,
  sha256     bytea constraint photo_sha256_length check (octet_length(sha256) = 32),
  bytes      integer,
  -- Perceptual hash: similar pictures differ in few bits.
  phash      bit(64),
  -- Hash of the uploaded file, so that an upload that is sent twice becomes one photo.
  upload_sha256 bytea constraint photo_upload_sha256_length check (octet_length(upload_sha256) = 32),
  -- Drawn by a program for the demonstration. It shows nobody, so no person has to check it.
  generated  boolean not null default false,
  -- Price of each use in US cents before the first licence of a drop. Null: not offered for that use.
  price_social      integer constraint photo_price_social_range check (price_social between 1 and 100000),
  price_web         integer constraint photo_price_web_range check (price_web between 1 and 100000),
  price_ad          integer constraint photo_price_ad_range check (price_ad between 1 and 100000),
  price_ai_training integer constraint photo_price_ai_training_range check (price_ai_training between 1 and 100000),
  drop_cap   integer not null default 10 constraint photo_drop_cap_range check (drop_cap between 1 and 100),
  -- Number of drops so far. `sold` and the price ladder start again with each.
  drop_number integer not null default 0 constraint photo_drop_number_range check (drop_number >= 0),
  sold       integer not null default 0 constraint photo_sold_range check (sold >= 0),
  -- Incremented by every licence and every new drop. A quote is valid for one version.
  version    integer not null default 0,
  live_at    timestamptz,
  ends_at    timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- False after the files of a photo without licences were deleted.
  has_files  boolean not null default true,
  -- Exists for the foreign key to photo_check.
  decided    text generated always as (
               case when state in ('approved','live','ended') then 'approved'
                    when state = 'rejected' then 'rejected' end) stored,
  constraint photo_generated_exact unique (id, generated),
  constraint photo_sold_within_cap check (sold <= drop_cap),
  constraint photo_refused_with_reason check ((state = 'refused') = (refusal is not null)),
  constraint photo_processed_whole check (state in ('processing','refused','withdrawn')
    or num_nulls(month, width, height, sha256, bytes, phash) = 0),
  constraint photo_drop_whole check (num_nonnulls(live_at, ends_at) in (0, 2) and ends_at > live_at),
  constraint photo_live_has_drop check (state not in ('live','ended') or (ends_at is not null and drop_number > 0)),
  constraint photo_live_offers_a_use check (state <> 'live'
    or num_nonnulls(price_social, price_web, price_ad, price_ai_training) > 0)
);
create index photo_by_member on photo (member_id, created_at desc, id desc);
create index photo_by_place on photo (place_id);
create index photo_live on photo (live_at desc, id desc) where state = 'live';
create index photo_files_to_delete on photo (updated_at)
  where has_files and drop_number = 0 and state in ('refused','rejected','withdrawn');
create index photo_queue on photo (created_at, id) where state = 'to_check';
create unique index photo_upload_once on photo (member_id, upload_sha256)
  where state not in ('refused','rejected','withdrawn');

-- The decision of a person who looked at the picture, one per photo.
create table photo_check (
  photo_id   text constraint photo_check_once primary key,
  decision   text not null constraint photo_check_decision_known check (decision in ('approved','rejected')),
  reason     text constraint photo_check_reason_known check (reason in (
               'people','plate_numbers','not_the_place','duplicate','poor_quality')),
  generated  boolean not null default false,
  decided_by text constraint photo_check_staff_exists references staff,
  decided_at timestamptz not null,
  constraint photo_check_exact unique (photo_id, decision),
  constraint photo_check_of_photo foreign key (photo_id, generated) references photo (id, generated),
  constraint photo_check_by_person check (generated or decided_by is not null),
  constraint photo_check_rejected_with_reason check ((decision = 'rejected') = (reason is not null))
);
create index photo_check_time on photo_check (decided_at desc);
create trigger photo_check_append_only before update or delete on photo_check
  for each statement execute function refuse_change();

-- A photo becomes approved, live or rejected only by such a decision.
alter table photo add constraint photo_decided_by_person
  foreign key (id, decided) references photo_check (photo_id, decision);

create function refuse_photo_truncate() returns trigger language plpgsql as $$
begin
  if exists (select 1 from photo) then
    raise exception 'photos are permanent, because licences reference them'
      using errcode = 'restrict_violation', constraint = 'photo_permanent';
  end if;
  return null;
end $$;
create trigger photo_not_truncated before truncate on photo
  for each statement execute function refuse_photo_truncate();

-- Buyers rely on the price ladder: prices, size and end of a running drop do not change.
create function refuse_drop_change() returns trigger language plpgsql as $$
begin
  if (new.price_social, new.price_web, new.price_ad, new.price_ai_training,
      new.drop_cap, new.drop_number, new.live_at, new.ends_at)
    is distinct from (old.price_social, old.price_web, old.price_ad, old.price_ai_training,
      old.drop_cap, old.drop_number, old.live_at, old.ends_at) then
    raise exception 'prices and size of a running drop cannot change'
      using errcode = 'restrict_violation', constraint = 'photo_drop_fixed_while_live';
  end if;
  return new;
end $$;
create trigger photo_drop_fixed_while_live before update on photo for each row
  when (old.state = 'live' and new.state = 'live') execute function refuse_drop_change();

-- Writes place.member_photos of one place.
create function refresh_member_photos(refreshed_id text, at timestamptz) returns void language plpgsql as $$
begin
  -- Lock first: if two photos are approved at once, the second must see the first.
  perform from place where id = refreshed_id for no key update;
  update place p set member_photos = s.photos, updated_at = greatest(p.updated_at, at) from (
    select coalesce(jsonb_agg(jsonb_build_object('photo_id', o.id, 'by', o.display_name, 'caption', o.caption)
      order by o.created_at desc, o.id desc), '[]') as photos
    from (select f.id, f.caption, f.created_at, m.display_name from photo f join member m on m.id = f.member_id
          where f.place_id = refreshed_id and f.state in ('approved','live','ended')
          order by f.created_at desc, f.id desc limit 8) o) s
  where p.id = refreshed_id and p.member_photos is distinct from s.photos;
end $$;

create function refresh_photos_of_place() returns trigger language plpgsql as $$
declare
  was_shown boolean := tg_op = 'UPDATE' and old.state in ('approved','live','ended');
begin
  if not was_shown and new.state not in ('approved','live','ended') then
    return null;
  end if;
  if was_shown and old.place_id is distinct from new.place_id and old.place_id is not null then
    perform refresh_member_photos(old.place_id, new.updated_at);
  end if;
  if new.place_id is not null then
    perform refresh_member_photos(new.place_id, new.updated_at);
  end if;
  return null;
end $$;
create trigger photo_refreshes_place after insert or update of state, place_id, caption on photo
  for each row execute function refresh_photos_of_place();

create function refresh_photos_of_member() returns trigger language plpgsql as $$
begin
  -- Photos of an erased member are withdrawn. Existing licences stay valid.
  if new.forgotten_at is not null then
    update photo set state = 'withdrawn', updated_at = new.forgotten_at, caption = ''
    where member_id = new.id and state not in ('refused','rejected','withdrawn');
  else
    perform refresh_member_photos(f.place_id, now()) from (select distinct place_id from photo
      where member_id = new.id and place_id is not null and state in ('approved','live','ended') order by place_id) f;
  end if;
  return null;
end $$;
create trigger member_refreshes_photos after update of display_name, forgotten_at on member for each row
  when ((old.display_name, old.forgotten_at) is distinct from (new.display_name, new.forgotten_at))
  execute function refresh_photos_of_member();

-- The name of a file that the first node put into the photo store. A node that does not find it uses another store than
-- the others. It describes the store and not the data, so backups leave it out.
create table photo_store (
  one   boolean primary key default true constraint photo_store_one_row check (one),
  probe text not null constraint photo_store_probe_form check (probe ~ '^[0-9a-f]{32}$')
);

-- Ledger: double entry. All entries of a transaction sum to zero -----------------------------------------------------

-- An account is named after its kind and its holder. Balances of people and agents are positive; money that came in is
-- a negative amount on cash_clearing.
create table ledger_account (
  id            text primary key constraint ledger_account_id_form check (id ~ (
                  '^(cash_clearing|test_clearing|platform_revenue|platform_test|refunds|refunds_test'
                  || '|(agent_wallet|agent_test):agt_[0-9a-z]{26}'
                  || '|(photographer_payable|photographer_test):mem_[0-9a-z]{26})$')),
  kind          text generated always as (split_part(id, ':', 1)) stored,
  holder_id     text generated always as (nullif(split_part(id, ':', 2), '')) stored,
  -- Test credit has accounts of its own, which contain no money.
  test          boolean generated always as (split_part(id, ':', 1) in
                  ('test_clearing','agent_test','photographer_test','platform_test','refunds_test')) stored,
  -- Updated with each entry, for accounts with a holder. The platform's own accounts have none, because every licence
  -- would wait for the one before it; their balance is the sum of their entries.
  balance_cents bigint,
  constraint ledger_account_exact unique (id, test),
  constraint ledger_account_holder_has_balance check ((balance_cents is not null) = (id like '%:%')),
  constraint ledger_balance_not_negative check (balance_cents >= 0)
);
create index ledger_account_of_holder on ledger_account (holder_id) where holder_id is not null;
insert into ledger_account (id) values
  ('cash_clearing'), ('platform_revenue'), ('refunds'), ('test_clearing'), ('platform_test'), ('refunds_test');

create table ledger_transaction (
  id        text primary key constraint ledger_transaction_id_form check (id ~ '^ltx_[0-9a-hjkmnp-tv-z]{26}$'),
  kind      text not null constraint ledger_transaction_kind_known
              check (kind in ('topup','topup_refund','licence','licence_refund','payout')),
  -- The booked payment, licence or refund. Nothing is booked twice.
  reference text not null constraint ledger_transaction_reference_present check (reference <> ''),
  test      boolean not null,
  at        timestamptz not null,
  -- The database transaction that wrote it. A later one cannot add entries.
  written_xid xid8 not null default pg_current_xact_id(),
  constraint ledger_transaction_once unique (kind, reference),
  constraint ledger_transaction_exact unique (id, test)
);

create table ledger_entry (
  transaction_id text not null,
  account_id     text not null,
  test           boolean not null,
  amount_cents   bigint not null constraint ledger_entry_amount_not_zero check (amount_cents <> 0),
  primary key (transaction_id, account_id),
  -- Because of `test` in both keys, no transaction mixes test credit and money.
  constraint ledger_entry_of_transaction foreign key (transaction_id, test) references ledger_transaction (id, test),
  constraint ledger_entry_of_account foreign key (account_id, test) references ledger_account (id, test)
);
create index ledger_entry_by_account on ledger_entry (account_id, transaction_id);

create trigger ledger_transaction_append_only before update or delete or truncate on ledger_transaction
  for each statement execute function refuse_change();
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();
create trigger ledger_account_permanent before delete or truncate on ledger_account
  for each statement execute function refuse_change();

create function book_ledger_entry() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from ledger_transaction t
                 where t.id = new.transaction_id and t.written_xid = pg_current_xact_id()) then
    raise exception 'a booked transaction takes no further entry'
      using errcode = 'restrict_violation', constraint = 'ledger_transaction_closed';
  end if;
  update ledger_account set balance_cents = balance_cents + new.amount_cents
  where id = new.account_id and balance_cents is not null;
  return null;
end $$;
create trigger ledger_entry_booked after insert on ledger_entry
  for each row execute function book_ledger_entry();

create function refuse_balance_change() returns trigger language plpgsql as $$
begin
  raise exception 'a balance follows its entries'
    using errcode = 'restrict_violation', constraint = 'ledger_balance_follows_entries';
end $$;
-- After, not before: with a BEFORE trigger, PostgreSQL would lock the row as if its key changed, and two transactions
-- that reference the same account would wait for each other.
create trigger ledger_balance_follows_entries after update on ledger_account
  for each row when (pg_trigger_depth() = 0) execute function refuse_balance_change();
create trigger ledger_account_begins_empty before insert on ledger_account
  for each row when (new.balance_cents <> 0) execute function refuse_balance_change();

create function require_zero_sum() returns trigger language plpgsql as $$
begin
  if (select sum(e.amount_cents) from ledger_entry e where e.transaction_id = new.transaction_id) <> 0 then
    raise exception 'the entries of % do not sum to zero', new.transaction_id
      using errcode = 'check_violation', constraint = 'ledger_entries_sum_to_zero';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_sum_to_zero after insert on ledger_entry
  deferrable initially deferred for each row execute function require_zero_sum();

-- Wallet: top-ups and their payments ---------------------------------------------------------------------------------

-- A payment into a wallet that a person is asked to make.
create table topup (
  id           text primary key constraint topup_id_form check (id ~ '^top_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_id     text not null constraint topup_agent_exists references agent,
  amount_cents integer not null constraint topup_amount_range check (amount_cents between 500 and 50000),
  created_at   timestamptz not null,
  expires_at   timestamptz not null constraint topup_ends check (expires_at > created_at),
  paid_at      timestamptz
);
create index topup_awaited on topup (agent_id, created_at) where paid_at is null;

-- Payments. The reference is the payment provider's session, or the top-up's own id in the test checkout.
create table topup_payment (
  reference      text constraint topup_payment_once_per_session primary key,
  topup_id       text not null constraint topup_payment_of_topup references topup,
  test           boolean not null,
  amount_cents   integer not null constraint topup_payment_amount_positive check (amount_cents > 0),
  payment_intent text constraint topup_payment_intent_unique unique,
  refunded_cents integer not null default 0,
  transaction_id text not null constraint topup_payment_booked references ledger_transaction
                   constraint topup_payment_booked_once unique,
  paid_at        timestamptz not null,
  constraint topup_payment_refund_range check (refunded_cents between 0 and amount_cents)
);
create index topup_payment_of on topup_payment (topup_id);

-- Refunds reported by the provider, by its own reference. One may be reported before its payment.
create table payment_refund (
  payment_intent text primary key,
  refunded_cents integer not null constraint payment_refund_positive check (refunded_cents > 0),
  reported_at    timestamptz not null
);

-- Licensing: licences of photos that agents buy from their wallets ---------------------------------------------------

create table photo_licence (
  id              text primary key constraint photo_licence_id_form check (id ~ '^lic_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_id        text not null constraint photo_licence_agent_exists references agent,
  photo_id        text not null constraint photo_licence_photo_exists references photo,
  drop_number     integer not null,
  -- Its number in the drop, from 1. It determines the price on the ladder.
  number          integer not null constraint photo_licence_number_range check (number between 1 and 100),
  use             text not null constraint photo_licence_use_known check (use in ('social','web','ad','ai_training')),
  price_cents     integer not null constraint photo_licence_price_positive check (price_cents > 0),
  max_price_cents bigint not null,
  test            boolean not null,
  idempotency_key text constraint photo_licence_key_length check (char_length(idempotency_key) between 1 and 255),
  sha256          bytea not null constraint photo_licence_sha256_length check (octet_length(sha256) = 32),
  attribution_line text not null,
  licensed_at     timestamptz not null,
  utc_date        date not null generated always as ((licensed_at at time zone 'UTC')::date) stored,
  expires_at      timestamptz,
  transaction_id  text not null constraint photo_licence_booked references ledger_transaction
                    constraint photo_licence_booked_once unique,
  refunded_at     timestamptz,
  refund_transaction_id text constraint photo_licence_refund_booked references ledger_transaction
                    constraint photo_licence_refund_booked_once unique,
  constraint photo_licence_step_once unique (photo_id, drop_number, number),
  constraint photo_licence_once_per_key unique (agent_id, idempotency_key),
  constraint photo_licence_within_max check (price_cents <= max_price_cents),
  constraint photo_licence_refund_whole check ((refunded_at is null) = (refund_transaction_id is null))
);
create index photo_licence_by_agent on photo_licence (agent_id, licensed_at desc, id desc);
create index photo_licence_newest on photo_licence (licensed_at desc, id desc);

-- Spending of an agent per day, with money and test credit. The daily cap is a constraint, so that two purchases at the
-- same time cannot exceed it together.
create table photo_spend (
  agent_id    text not null constraint photo_spend_agent_exists references agent,
  utc_date    date not null,
  spent_cents integer not null constraint photo_spend_daily_cap check (spent_cents between 1 and 5000),
  primary key (agent_id, utc_date)
);

create function count_photo_spend() returns trigger language plpgsql as $$
begin
  insert into photo_spend as s (agent_id, utc_date, spent_cents)
  values (new.agent_id, new.utc_date, new.price_cents)
  on conflict (agent_id, utc_date) do update set spent_cents = s.spent_cents + excluded.spent_cents;
  return null;
end $$;
create trigger photo_licence_spent after insert on photo_licence
  for each row execute function count_photo_spend();

-- Test credit moves no money, so it only licenses photos that were drawn for the demonstration.
create function refuse_test_of_real_photo() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from photo p where p.id = new.photo_id and p.generated) then
    raise exception 'test credit does not license %', new.photo_id
      using errcode = 'check_violation', constraint = 'photo_licence_test_of_generated_photo';
  end if;
  return new;
end $$;
create trigger photo_licence_test_of_generated_photo before insert on photo_licence
  for each row when (new.test) execute function refuse_test_of_real_photo();

-- A licence is immutable, except that it can be refunded once and that the name of an erased photographer is removed.
create function refuse_licence_change() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'attribution_line' = to_jsonb(old) - 'attribution_line' and exists (
    select from photo p join member m on m.id = p.member_id where p.id = new.photo_id and m.forgotten_at is not null) then
    return null;
  end if;
  if old.refunded_at is not null or new.refunded_at is null
    or to_jsonb(new) - array['refunded_at','refund_transaction_id']
       <> to_jsonb(old) - array['refunded_at','refund_transaction_id'] then
    raise exception 'a licence does not change'
      using errcode = 'restrict_violation', constraint = 'photo_licence_immutable';
  end if;
  return null;
end $$;
create trigger photo_licence_immutable after update on photo_licence
  for each row execute function refuse_licence_change();
create trigger photo_licence_not_removed before delete or truncate on photo_licence
  for each statement execute function refuse_change();

-- No licence without its payment, and no payment without its licence. Both are checked at the commit.
create function require_licence_payment() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from ledger_entry e where e.transaction_id = new.transaction_id
      and e.account_id = (case when new.test then 'agent_test:' else 'agent_wallet:' end) || new.agent_id
      and e.amount_cents = -new.price_cents) then
    raise exception 'licence % is not paid', new.id
      using errcode = 'check_violation', constraint = 'photo_licence_paid';
  end if;
  return null;
end $$;
create constraint trigger photo_licence_paid after insert on photo_licence
  deferrable initially deferred for each row execute function require_licence_payment();

create function require_booked_record() returns trigger language plpgsql as $$
begin
  if not (case new.kind
    when 'licence' then exists (select 1 from photo_licence l where l.transaction_id = new.id)
    when 'licence_refund' then exists (select 1 from photo_licence l where l.refund_transaction_id = new.id)
    when 'topup' then exists (select 1 from topup_payment p where p.transaction_id = new.id)
    else true end)
    or not exists (select 1 from ledger_entry e where e.transaction_id = new.id) then
    raise exception '% books nothing', new.id
      using errcode = 'check_violation', constraint = 'ledger_transaction_books_something';
  end if;
  return null;
end $$;
create constraint trigger ledger_transaction_books_something after insert on ledger_transaction
  deferrable initially deferred for each row execute function require_booked_record();

-- The number of licences sold when an agent last saw the prices of a photo: by a quote for one use, or by a search, which
-- shows all ('every'). It only decides the wording of a refusal, so a crash may lose it.
create unlogged table photo_price_view (
  agent_id text not null,
  photo_id text not null,
  use      text not null constraint photo_price_view_use_known check (use in ('social','web','ad','ai_training','every')),
  drop_number integer not null,
  sold     integer not null,
  seen_at  timestamptz not null,
  primary key (agent_id, photo_id, use)
);
create index photo_price_view_age on photo_price_view (seen_at);
