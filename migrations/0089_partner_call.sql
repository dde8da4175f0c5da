-- The calls of partners by day and tool, for their own charts. What is billed is counted in rate_window.
create table partner_day_usage (
  partner_id text not null constraint partner_day_usage_partner_exists references partner on delete cascade,
  day        date not null,
  surface    text not null constraint partner_day_usage_surface_known check (surface in ('partner','concierge','reserve')),
  tool       text not null constraint partner_day_usage_tool_present check (tool <> ''),
  calls      bigint not null,
  failed     bigint not null,
  constraint partner_day_usage_range check (failed between 0 and calls),
  primary key (partner_id, day, surface, tool)
);
create index partner_day_usage_age on partner_day_usage (day);

-- The last calls of partners, for finding a fault: never what was asked or answered. A crash of the database may lose it.
create unlogged table partner_call (
  id         bigint generated always as identity primary key,
  partner_id text not null constraint partner_call_partner_exists references partner on delete cascade,
  at         timestamptz not null,
  surface    text not null constraint partner_call_surface_known check (surface in ('partner','concierge','reserve')),
  tool       text not null constraint partner_call_tool_present check (tool <> ''),
  -- The code of the error; null for a success.
  failure    text constraint partner_call_failure_present check (failure <> ''),
  duration_ms real not null constraint partner_call_duration_range check (duration_ms >= 0),
  request_id text not null constraint partner_call_request_present check (request_id <> '')
);
create index partner_call_newest on partner_call (partner_id, id);
create index partner_call_age on partner_call (at);
