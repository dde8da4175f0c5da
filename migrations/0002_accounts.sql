-- Who calls the service, and who stands behind it. Secrets are stored as hashes only.

create table agent (
  id             text primary key constraint agent_id_form check (id ~ '^agt_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_name     text not null constraint agent_name_length check (char_length(agent_name) between 2 and 80),
  operator_name  text not null constraint agent_operator_name_length check (char_length(operator_name) between 2 and 120),
  operator_email text not null constraint agent_operator_email_lower check (operator_email = lower(operator_email)),
  homepage       text,
  purpose        text not null constraint agent_purpose_length check (char_length(purpose) between 12 and 500),
  status         text not null default 'active' constraint agent_status_known check (status in ('active','suspended','revoked')),
  plan           text not null default 'free' constraint agent_plan_known check (plan in ('free','starter','growth','scale')),
  created_at     timestamptz not null,
  -- One agent record and one key per operator.
  constraint agent_operator_unique unique (operator_email)
);

create table partner (
  id         text primary key constraint partner_id_form check (id ~ '^ptn_[0-9a-hjkmnp-tv-z]{26}$'),
  email      text not null constraint partner_email_lower check (email = lower(email))
               constraint partner_email_unique unique,
  name       text not null constraint partner_name_length check (char_length(name) between 2 and 120),
  created_at timestamptz not null
);

create table api_key (
  hash         bytea primary key constraint api_key_sha256 check (octet_length(hash) = 32),
  prefix       text not null,
  agent_id     text constraint api_key_agent_exists references agent on delete cascade,
  partner_id   text constraint api_key_partner_exists references partner on delete cascade,
  created_at   timestamptz not null,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  constraint api_key_one_owner check (num_nonnulls(agent_id, partner_id) = 1)
);
create unique index api_key_one_live_per_agent on api_key (agent_id) where revoked_at is null;
create unique index api_key_one_live_per_partner on api_key (partner_id) where revoked_at is null;

create table staff (
  id            text primary key constraint staff_id_form check (id ~ '^stf_[0-9a-hjkmnp-tv-z]{26}$'),
  email         text not null constraint staff_email_lower check (email = lower(email))
                  constraint staff_email_unique unique,
  role          text not null constraint staff_role_known check (role in ('reviewer','desk','lead')),
  password_hash text not null,
  -- Set when the password was made by the service; it must be changed at the first sign-in.
  must_change_password boolean not null default false,
  created_at    timestamptz not null
);
