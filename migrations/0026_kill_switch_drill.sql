-- A drill: the switch is thrown for a few seconds on a running service, to see how long it takes until nothing leaves any
-- more. All times are the database's, which all nodes share.
create table kill_switch_drill (
  id          bigint generated always as identity primary key,
  by_staff    text constraint kill_switch_drill_staff_exists references staff on delete set null,
  started_at  timestamptz not null default clock_timestamp(),
  -- When the flip was asked for, and when it was answered: taken while the switch is still held alone, so that whatever
  -- ends later was not waited for.
  asked_at    timestamptz,
  answered_at timestamptz,
  -- When the switch began to be turned back.
  resumed_at  timestamptz,
  ended_at    timestamptz,
  -- How many bookings stood still.
  frozen      integer,
  -- What was counted at the end: actions that were noted up to the answer, those under way when the flip was asked for, the
  -- end of the last one, and those that went on or began after the answer.
  actions     integer,
  in_flight   integer,
  last_at     timestamptz,
  after_answer integer,
  constraint kill_switch_drill_answer_was_asked check (answered_at is null or asked_at <= answered_at),
  constraint kill_switch_drill_end_has_counts check (
    ended_at is null or answered_at is null or (actions, in_flight, after_answer) is not null)
);
create unique index kill_switch_drill_one_at_a_time on kill_switch_drill ((true)) where ended_at is null;

-- What left for a venue during a drill. Each is written in statements of its own, so that no transaction takes it back.
create table outbound_action (
  id       bigint generated always as identity primary key,
  drill_id bigint not null constraint outbound_action_drill_exists references kill_switch_drill on delete cascade,
  channel  text not null constraint outbound_action_channel_known check (
             channel in ('sms','mail','phone','venue_system')),
  begun_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint outbound_action_ends_after_begin check (ended_at >= begun_at)
);
create index outbound_action_by_drill on outbound_action (drill_id);
