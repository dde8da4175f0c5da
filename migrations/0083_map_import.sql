-- Imports of map extracts that a lead started on the set-up page. A process of the node that got the request runs each.
create table map_import (
  id          bigint generated always as identity primary key,
  -- The address, or the name of the uploaded file.
  source      text not null constraint map_import_source_length check (char_length(source) between 1 and 2048),
  state       text not null default 'running'
                constraint map_import_state_known check (state in ('running','done','failed','stopped')),
  stage       text not null default '',
  done        bigint not null default 0,
  total       bigint not null default 0,
  -- The end of what the import printed.
  log         text not null default '',
  stop_wanted boolean not null default false,
  started_by  text constraint map_import_staff_exists references staff on delete set null,
  started_at  timestamptz not null,
  -- By the clock of the database. A running import that was not seen for a minute is dead.
  seen_at     timestamptz not null default now(),
  finished_at timestamptz,
  constraint map_import_finished_has_time check ((finished_at is not null) = (state <> 'running'))
);
create unique index map_import_one_at_a_time on map_import (state) where state = 'running';
create trigger map_import_shown after insert or update of state, log, stage, done, stop_wanted on map_import
  for each row execute function notify_shown_data('''imports''');
