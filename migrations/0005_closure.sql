-- How the service comes to believe that a place has closed, and how it learns better.

alter table closure_evidence add constraint closure_evidence_note_present check (note <> '');

-- Evidence that no longer stands, with what ended it. closure_evidence holds only what stands today, so that whoever
-- reads it need not ask which of it still counts.
create table closure_ended (
  place_id    text not null constraint closure_ended_place_exists references place on delete cascade,
  kind        text not null constraint closure_ended_kind_known
                check (kind in ('website_dead','published_report','venue_said')),
  source_url  text,
  note        text not null,
  observed_at timestamptz not null,
  ended_at    timestamptz not null,
  ended_by    text not null constraint closure_ended_by_known check (ended_by in ('staff','venue','website')),
  ended_note  text not null constraint closure_ended_note_present check (ended_note <> '')
);
create index closure_ended_by_place on closure_ended (place_id);

-- What the checks of a venue's website found. A row without last_probe_at waits for its first check.
create table website_probe (
  place_id         text primary key constraint website_probe_place_exists references place on delete cascade,
  -- The address that was checked: failures of an address that the place no longer has say nothing.
  website          text not null,
  failures         integer not null default 0 constraint website_probe_failures_range check (failures >= 0),
  first_failure_at timestamptz,
  last_probe_at    timestamptz,
  next_probe_at    timestamptz not null,
  last_result      text constraint website_probe_result_known check (last_result in ('alive','failed','unclear')),
  -- What was seen, such as http_404, dns or timeout.
  last_detail      text,
  constraint website_probe_failures_dated check ((failures = 0) = (first_failure_at is null)),
  constraint website_probe_result_dated check ((last_probe_at is null) = (last_result is null))
);
create index website_probe_due on website_probe (next_probe_at);
