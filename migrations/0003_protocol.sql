-- What the protocol engine keeps: answers for repeated keys, ended sessions, counters, the audit trail, secrets.

create table idempotency_key (
  -- The hash of the caller and its key; the key itself opens the answer and is not stored.
  key_hash     bytea primary key constraint idempotency_key_sha256 check (octet_length(key_hash) = 32),
  request_hash bytea not null constraint idempotency_request_sha256 check (octet_length(request_hash) = 32),
  status       integer not null,
  answer       bytea not null,
  created_at   timestamptz not null
);
create index idempotency_key_age on idempotency_key (created_at);

-- Sessions are signed tokens and are stored nowhere; only the few that a client ended before their time are.
create table ended_session (
  token_hash bytea primary key constraint ended_session_sha256 check (octet_length(token_hash) = 32),
  expires_at timestamptz not null
);

-- Fixed windows of rate limits and quotas; a row may go once its window has passed.
create table rate_window (
  name       text not null,
  starts_at  timestamptz not null,
  ends_at    timestamptz not null,
  used       bigint not null constraint rate_window_used_range check (used >= 0),
  -- The limit that held when the window was last counted.
  ceiling    bigint not null,
  primary key (name, starts_at)
);
create index rate_window_age on rate_window (ends_at);

create table audit_log (
  sequence   bigint generated always as identity primary key,
  at         timestamptz not null,
  actor      text not null,
  operation  text not null,
  request_id text not null,
  subject    text,
  detail     jsonb not null default '{}'
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- Secrets that all nodes share, made once by the first of them.
create table service_secret (
  name  text primary key,
  value bytea not null constraint service_secret_length check (octet_length(value) >= 32)
);
