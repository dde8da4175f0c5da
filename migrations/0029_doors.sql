-- How often a door was shut within a day: each time it stays shut for longer.
alter table sign_in_attempt
  add column locks integer not null default 0 constraint sign_in_attempt_locks_range check (locks >= 0);
-- From now on strangers are counted for an account and the address that they come from together.
delete from sign_in_attempt;

-- A code works only in the browser that asked for it. Those that are under way live for minutes, and end here.
delete from sign_in_code;
alter table sign_in_code
  -- A hash of the cookie to which the forms of that browser are bound.
  add column browser bytea not null constraint sign_in_code_browser_sha256 check (octet_length(browser) = 32),
  -- Whoever enters too many wrong ones is locked by where they come from, and shuts nobody else out.
  add column asked_from text not null;

-- Codes by which a venue claims its listing or signs in: each belongs to the browser that asked for it, so that nobody
-- else can use it up or put another in its place.
create table claim_sending (
  place_id     text not null constraint claim_sending_place_exists references place on delete cascade,
  channel      text not null constraint claim_sending_channel_known check (channel in ('mail','sms')),
  contact      text not null constraint claim_sending_contact_present check (contact <> ''),
  browser      bytea not null constraint claim_sending_browser_sha256 check (octet_length(browser) = 32),
  asked_from   text not null,
  -- Null once it was used, or after too many wrong ones.
  code_hash    bytea constraint claim_sending_sha256 check (octet_length(code_hash) = 32),
  sent_at      timestamptz not null,
  expires_at   timestamptz not null,
  tries        integer not null default 0 constraint claim_sending_tries_range check (tries >= 0),
  locked_until timestamptz,
  primary key (place_id, channel, contact, browser)
);
create index claim_sending_age on claim_sending (expires_at);

-- What stays of claim_code are the contacts that the desk found to be the venue's own.
delete from claim_code where vouched_by is null;
alter table claim_code
  alter column vouched_by set not null,
  drop column code_hash, drop column sent_at, drop column expires_at, drop column tries, drop column locked_until;
