-- Applications of partners for table requests or for another plan. Staff decide about each once.
create table partner_application (
  id         bigint generated always as identity primary key,
  partner_id text not null constraint partner_application_partner_exists references partner on delete cascade,
  wants      text not null constraint partner_application_wants_known check (wants in ('bookings','plan')),
  plan       text constraint partner_application_plan_known
               check (plan in ('free','partner','directory','concierge','platform')),
  reason     text not null constraint partner_application_reason_length check (char_length(reason) between 4 and 1000),
  made_at    timestamptz not null,
  state      text not null default 'open'
               constraint partner_application_state_known check (state in ('open','granted','refused')),
  decided_at timestamptz,
  -- The reason that the staff gave, which the partner reads.
  answer     text,
  constraint partner_application_names_plan check ((plan is not null) = (wants = 'plan')),
  constraint partner_application_decided_has_answer
    check ((state = 'open') = (decided_at is null) and (state = 'open') = (answer is null))
);
create unique index partner_application_one_open on partner_application (partner_id, wants) where state = 'open';
create index partner_application_newest on partner_application (partner_id, wants, id);
create trigger partner_application_shown after insert or update of state on partner_application
  for each row execute function notify_shown_data('''partners'', $1.partner_id');
