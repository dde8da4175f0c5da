-- What the protocol engine keeps: answers for repeated keys, the audit trail, and the node's own secrets.

create table idempotency_key (
  -- Who sent the key: an account id, or the caller's address for open operations.
  caller       text not null,
  key          text not null constraint idempotency_key_length check (char_length(key) between 1 and 255),
  operation    text not null,
  request_hash bytea not null constraint idempotency_request_sha256 check (octet_length(request_hash) = 32),
  status       integer not null,
  -- The answer, encrypted when it holds a secret that is shown once.
  answer       bytea not null,
  created_at   timestamptz not null,
  primary key (caller, key)
);
create index idempotency_key_age on idempotency_key (created_at);

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

create table setting (
  name  text primary key,
  value text not null
);
