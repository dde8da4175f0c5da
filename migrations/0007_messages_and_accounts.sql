-- What goes out to people and to agents, the jobs that send it, and what accounts need besides a key.

-- One row for each process that runs jobs. Jobs of a process that is not seen any more are given to others.
create table job_runner (
  id      text primary key,
  seen_at timestamptz not null default now()
);

create table message (
  id           text primary key constraint message_id_form check (id ~ '^msg_[0-9a-hjkmnp-tv-z]{26}$'),
  sequence     bigint generated always as identity constraint message_sequence_unique unique,
  channel      text not null constraint message_channel_known check (channel in ('mail','sms')),
  recipient    text not null constraint message_recipient_present check (recipient <> ''),
  subject      text not null,
  -- Bodies carry codes and links that open things, so they go when the message has gone.
  body         text,
  purpose      text not null constraint message_purpose_present check (purpose <> ''),
  subject_id   text not null,
  state        text not null default 'queued' constraint message_state_known
                 check (state in ('queued','outbox','sending','sent','failed')),
  attempts     integer not null default 0,
  -- While this lies ahead, somebody is sending; once it is past, whoever was has died.
  leased_until timestamptz,
  last_error   text,
  created_at   timestamptz not null,
  finished_at  timestamptz,
  constraint message_body_goes_when_final check ((body is null) = (state in ('sent','failed'))),
  constraint message_final_has_time check ((finished_at is not null) = (state in ('sent','failed'))),
  constraint message_sending_has_lease check ((leased_until is not null) = (state = 'sending'))
);
create index message_by_subject on message (subject_id, sequence);

create table callback_delivery (
  id               text primary key constraint callback_delivery_id_form check (id ~ '^msg_[0-9a-hjkmnp-tv-z]{26}$'),
  sequence         bigint generated always as identity constraint callback_delivery_sequence_unique unique,
  agent_id         text not null constraint callback_delivery_agent_exists references agent,
  subject_id       text not null,
  url              text not null,
  event            text not null,
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

-- Ed25519 keys that sign what we send. The public halves are published; the seed never leaves the database.
create table signing_key (
  kid        text primary key,
  seed       bytea not null constraint signing_key_seed_length check (octet_length(seed) = 32),
  not_before timestamptz not null,
  not_after  timestamptz
);
create unique index signing_key_one_current on signing_key ((true)) where not_after is null;

-- Links by which an operator gets a new key through the mailbox, each good for one use.
create table recovery_link (
  token_hash bytea primary key constraint recovery_link_sha256 check (octet_length(token_hash) = 32),
  -- The request that asked for it, so that a job that is done twice makes one link.
  request_id text not null constraint recovery_link_request_unique unique,
  agent_id   text not null constraint recovery_link_agent_exists references agent on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index recovery_link_of_agent on recovery_link (agent_id, created_at);

-- A plan is paid for a month; without a further payment the agent is on the free plan again. A plan that was given up
-- for a smaller one holds until the end of the day, because a quota never shrinks while it is being used.
alter table agent
  add column plan_until timestamptz,
  add column prior_plan text constraint agent_prior_plan_known check (prior_plan in ('starter','growth','scale')),
  add column prior_until timestamptz,
  add constraint agent_prior_plan_whole check ((prior_plan is null) = (prior_until is null));

-- What a person is asked to pay. It is paid once or never.
create table checkout (
  id           text primary key constraint checkout_id_form check (id ~ '^pay_[0-9a-hjkmnp-tv-z]{26}$'),
  agent_id     text not null constraint checkout_agent_exists references agent,
  plan         text not null constraint checkout_plan_known check (plan in ('starter','growth','scale')),
  amount_cents integer not null constraint checkout_amount_positive check (amount_cents > 0),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  paid_at      timestamptz,
  -- How it was paid: 'test', or the payment provider's own reference.
  paid_by      text,
  constraint checkout_paid_whole check ((paid_at is null) = (paid_by is null))
);
