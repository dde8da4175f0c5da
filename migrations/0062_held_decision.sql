-- A reviewer's decision of the last minute. It takes effect when the minute is over; until then it can be undone.
create table held_decision (
  submission_id text constraint held_decision_once primary key,
  revision      integer not null,
  decision      text not null constraint held_decision_known check (decision in ('approved','rejected')),
  decided_by    text not null constraint held_decision_by_staff references staff,
  reason_code   text,
  reason_text   text,
  fix_hint      text,
  place_id      text,
  decided_at    timestamptz not null,
  constraint held_decision_of_revision
    foreign key (submission_id, revision) references submission_revision (submission_id, revision),
  constraint held_decision_rejected_with_reason check ((decision = 'rejected') = (reason_code is not null))
);

-- What the reviewer saw: each field with its live and its submitted value. Null for decisions before this column.
alter table submission_decision add column diff jsonb;
