-- What agents submit, what people decide about it, and how a venue takes its listing over.

-- A business or a promotion that an agent submitted. Its content stands in its revisions.
create table submission (
  id            text primary key,
  kind          text not null constraint submission_kind_known check (kind in ('business','promo')),
  agent_id      text not null constraint submission_agent_exists references agent,
  -- As they were named when they submitted it: the attribution does not change when an account does.
  agent_name    text not null,
  operator_name text not null,
  -- The caller's own reference: external_ref of a business, promo_ref of a promotion.
  own_ref       text,
  business_id   text constraint submission_business_exists references submission,
  status        text not null default 'pending_review' constraint submission_status_known
                  check (status in ('pending_review','approved','rejected')),
  revision      integer not null default 1 constraint submission_revision_positive check (revision > 0),
  -- The approved revision that stands, while a newer one may be waiting.
  live_revision integer,
  live_blocked_by text constraint submission_block_known check (live_blocked_by in ('business_confirmation')),
  place_id      text constraint submission_place_exists references place on delete set null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  reviewed_at   timestamptz,
  -- These two exist so that the foreign keys below can demand a person's decision.
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
  -- What a reviewer should look at, such as a claim without a source.
  flags         text[] not null default '{}',
  -- [{place_id, score}]: what it may be the same place as, the likeliest first.
  duplicates    jsonb not null default '[]',
  -- The one place that it is taken to be, unless a reviewer says otherwise.
  matched_place text,
  submitted_at  timestamptz not null,
  primary key (submission_id, revision)
);
-- Finds other submissions of the same venue.
create index submission_revision_name on submission_revision (lower(content->>'name'));
alter table submission add constraint submission_has_revision
  foreign key (id, revision) references submission_revision (submission_id, revision) deferrable initially deferred;

-- One decision for each revision, by a member of staff. Of two reviewers who decide at once, the second finds a row.
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

-- Nothing but a person's decision about this very revision makes it approved, rejected or live.
alter table submission
  add constraint submission_decided_by_person
    foreign key (id, revision, decided) references submission_decision (submission_id, revision, decision),
  add constraint submission_live_by_person
    foreign key (id, live_revision, live_decided) references submission_decision (submission_id, revision, decision);

create trigger submission_revision_append_only before update or delete on submission_revision
  for each statement execute function refuse_change();
create trigger submission_decision_append_only before update or delete on submission_decision
  for each statement execute function refuse_change();

-- An empty table may be emptied: whoever empties the directory reaches these tables by way of their references.
create function refuse_emptying() returns trigger language plpgsql as $$
declare
  held boolean;
begin
  execute format('select exists (select 1 from %I)', tg_table_name) into held;
  if held then
    raise exception '% is kept for ever', tg_table_name
      using errcode = 'restrict_violation', constraint = 'submission_kept';
  end if;
  return null;
end $$;
create trigger submission_not_emptied before truncate on submission
  for each statement execute function refuse_emptying();
create trigger submission_revision_not_emptied before truncate on submission_revision
  for each statement execute function refuse_emptying();
create trigger submission_decision_not_emptied before truncate on submission_decision
  for each statement execute function refuse_emptying();

-- Who submitted it stays with it for ever, and so does the submission itself.
create function keep_submission_attribution() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a submission is kept for ever'
      using errcode = 'restrict_violation', constraint = 'submission_kept';
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
create trigger submission_attribution_kept before update or delete on submission
  for each row execute function keep_submission_attribution();

-- An agent that says it acts for a business: the business is asked before the listing goes live.
create table business_confirmation (
  submission_id text not null,
  revision      integer not null,
  token_hash    bytea not null constraint business_confirmation_token_unique unique
                  constraint business_confirmation_sha256 check (octet_length(token_hash) = 32),
  channel       text not null constraint business_confirmation_channel_known check (channel in ('mail','sms','desk')),
  contact       text,
  -- The place that it becomes when the business says yes; null for a new one.
  target_place  text,
  asked_at      timestamptz not null,
  answer        text constraint business_confirmation_answer_known check (answer in ('yes','no')),
  answered_at   timestamptz,
  -- 'business', or the member of staff who asked by phone.
  answered_by   text,
  primary key (submission_id, revision),
  constraint business_confirmation_of_revision
    foreign key (submission_id, revision) references submission_revision (submission_id, revision),
  constraint business_confirmation_contact_given check ((channel = 'desk') = (contact is null)),
  constraint business_confirmation_answer_whole check (num_nonnulls(answer, answered_at, answered_by) in (0, 3))
);

-- Work for the desk that a letter cannot do: a contact that nobody had published has to be found and asked.
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

-- Where each field comes from that no map filled: the submission by its id, or owner. Imports leave these fields alone.
alter table place add column origins jsonb not null default '{}'
  constraint place_origins_object check (jsonb_typeof(origins) = 'object');
-- False: only the town is known, and the coordinates are its middle.
alter table place add column position_known boolean not null default true;
-- The file of the venue's own picture, named by its content.
alter table place add column listing_photo text
  constraint place_listing_photo_form check (listing_photo ~ '^[0-9a-f]{64}\.(jpg|png|webp)$');

-- One code at a time for a place and a contact: a new one replaces the last.
create table claim_code (
  place_id     text not null constraint claim_code_place_exists references place on delete cascade,
  channel      text not null constraint claim_code_channel_known check (channel in ('mail','sms')),
  contact      text not null constraint claim_code_contact_present check (contact <> ''),
  code_hash    bytea constraint claim_code_sha256 check (octet_length(code_hash) = 32),
  sent_at      timestamptz,
  expires_at   timestamptz,
  tries        integer not null default 0 constraint claim_code_tries_range check (tries >= 0),
  locked_until timestamptz,
  -- The member of staff who found this contact to be the venue's own; null: it was published before.
  vouched_by   text constraint claim_code_vouched_by_staff references staff,
  primary key (place_id, channel, contact),
  constraint claim_code_whole check (num_nonnulls(code_hash, sent_at, expires_at) in (0, 3))
);

create table venue_claim (
  place_id   text primary key constraint venue_claim_place_exists references place on delete cascade,
  -- Where later sign-in codes go, whatever is published by then.
  channel    text not null constraint venue_claim_channel_known check (channel in ('mail','sms')),
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

-- What the venue changed, with what stood there before, so that a slip can be taken back.
create table venue_edit (
  id        bigint generated always as identity primary key,
  place_id  text not null constraint venue_edit_place_exists references place on delete cascade,
  part      text not null constraint venue_edit_part_known check (part in ('hours','menu','about','booking','photo')),
  before    jsonb not null,
  after     jsonb not null,
  edited_at timestamptz not null,
  undone_at timestamptz
);
create index venue_edit_by_place on venue_edit (place_id, id desc);
