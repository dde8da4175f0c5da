-- The console: how staff sign in (a password, a second factor, sessions stored as hashes), and what they do there.

alter table staff
  -- Encrypted under a secret of the installation. Set together with the moment at which a first code proved it.
  add column totp_secret bytea,
  add column totp_confirmed_at timestamptz,
  -- The time step of the last code that was accepted: no code opens the door twice.
  add column totp_last_step bigint,
  -- Set when a person no longer works here. The row stays, because decisions name it.
  add column disabled_at timestamptz,
  add constraint staff_totp_confirmed check ((totp_secret is null) = (totp_confirmed_at is null)),
  add constraint staff_totp_step_dated check (totp_last_step is null or totp_secret is not null);

create table staff_session (
  token_hash    bytea primary key constraint staff_session_sha256 check (octet_length(token_hash) = 32),
  staff_id      text not null constraint staff_session_staff_exists references staff on delete cascade,
  -- False while only the password is proven: such a session may set up the second factor and nothing else.
  second_factor boolean not null,
  -- The secret that an enrolment offers. It belongs to the session, so that nobody enrols with one that another has seen.
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

-- Whoever wrote a session of somebody without a second factor, or of somebody who left, would open the console for them.
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

-- Attempts to sign in, by account and by address. A success takes its own attempt back.
create table sign_in_attempt (
  subject      text primary key,
  attempts     integer not null constraint sign_in_attempt_range check (attempts >= 0),
  last_at      timestamptz not null,
  locked_until timestamptz
);
create index sign_in_attempt_age on sign_in_attempt (last_at);

-- The console reads the audit trail by person, by subject and by what was done, the newest first.
create index audit_log_by_actor on audit_log (actor, sequence desc);
create index audit_log_by_subject on audit_log (subject, sequence desc);
create index audit_log_by_operation on audit_log (operation, sequence desc);

-- Two records that a person found to be one place. The next import must not bring the lesser one back, and whoever
-- holds its id is led to the other.
create table place_merged (
  merged_id  text primary key constraint place_merged_id_form check (merged_id ~ '^plc_[0-9a-hjkmnp-tv-z]{26}$'),
  place_id   text not null constraint place_merged_into_exists references place on delete cascade,
  source     text not null,
  source_ref text not null,
  merged_by  text not null constraint place_merged_by_staff references staff,
  merged_at  timestamptz not null,
  constraint place_merged_source_unique unique (source, source_ref)
);
create index place_merged_into on place_merged (place_id);

-- Search leaves closed places out; staff find them by the beginning of their name.
create index place_closed_names on place (lower(name) text_pattern_ops) where closed_at is not null;
