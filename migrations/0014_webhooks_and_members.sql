-- Who receives booking moves, what was sent to them, and the members for whom tables are asked.

-- Codes by which people sign in through their mailbox: operators, and from here on members too.
alter table operator_code rename to sign_in_code;
alter table sign_in_code rename constraint operator_code_pkey to sign_in_code_pkey;
alter table sign_in_code rename constraint operator_code_email_lower to sign_in_code_email_lower;
alter table sign_in_code rename constraint operator_code_hmac to sign_in_code_hmac;
alter table sign_in_code rename constraint operator_code_tries_range to sign_in_code_tries_range;
alter index operator_code_age rename to sign_in_code_age;
alter table sign_in_code
  drop constraint operator_code_id_form,
  add constraint sign_in_code_id_form check (id ~ '^(osi|msi)_[0-9a-hjkmnp-tv-z]{26}$'),
  -- After too many wrong tries no further code goes to this mailbox until then.
  add column locked_until timestamptz;
create index sign_in_code_locked on sign_in_code (email, locked_until) where locked_until is not null;

-- A person who joined. Whoever wants to be forgotten leaves an empty row, so that what others hold keeps its number.
create table member (
  id           text primary key constraint member_id_form check (id ~ '^mem_[0-9a-hjkmnp-tv-z]{26}$'),
  email        text constraint member_email_lower check (email = lower(email))
                 constraint member_email_unique unique,
  -- What venues see of a member. It is asked for right after the first sign-in.
  display_name text constraint member_display_name_length check (char_length(display_name) between 1 and 80)
                 constraint member_display_name_no_contact check (not holds_contact(display_name)),
  created_at   timestamptz not null,
  forgotten_at timestamptz,
  constraint member_forgotten_is_empty check (
    (forgotten_at is null and email is not null)
    or (forgotten_at is not null and email is null and display_name is null))
);

alter table booking add constraint booking_member_exists foreign key (member_id) references member;

create table member_session (
  token_hash bytea primary key constraint member_session_sha256 check (octet_length(token_hash) = 32),
  member_id  text not null constraint member_session_member_exists references member on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint member_session_ends check (expires_at > created_at)
);
create index member_session_age on member_session (expires_at);
create index member_session_by_member on member_session (member_id);

-- The code by which a member lets one partner ask for tables in their name. Only the newest can be redeemed.
create table member_link_code (
  member_id  text primary key constraint member_link_code_member_exists references member on delete cascade,
  code_hash  bytea not null constraint member_link_code_sha256 check (octet_length(code_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint member_link_code_ends check (expires_at > created_at)
);

create table member_link (
  member_id  text not null constraint member_link_member_exists references member on delete cascade,
  partner_id text not null constraint member_link_partner_exists references partner on delete cascade,
  linked_at  timestamptz not null,
  primary key (member_id, partner_id)
);
create index member_link_by_partner on member_link (partner_id);

-- One rating for one confirmed table whose date has passed: stars and nothing else.
create table place_rating (
  booking_id text primary key constraint place_rating_booking_exists references booking on delete cascade,
  place_id   text not null constraint place_rating_place_exists references place on delete cascade,
  -- Empty when the member was forgotten; the stars still count.
  member_id  text constraint place_rating_member_exists references member,
  stars      integer not null constraint place_rating_stars_range check (stars between 1 and 5),
  rated_at   timestamptz not null
);
create function place_rating_by_guest() returns trigger language plpgsql as $$
begin
  perform from booking b
  where b.id = new.booking_id and b.status = 'confirmed' and b.member_id = new.member_id and b.table_at < new.rated_at;
  if not found then
    raise exception 'only the member of a confirmed table whose time has passed may rate it'
      using errcode = 'check_violation', constraint = 'place_rating_by_guest';
  end if;
  return new;
end $$;
create trigger place_rating_by_guest before insert on place_rating
  for each row execute function place_rating_by_guest();
create index place_rating_by_place on place_rating (place_id) include (stars);
create index place_rating_by_member on place_rating (member_id);

-- Where a partner receives booking moves.
create table webhook_endpoint (
  partner_id      text primary key constraint webhook_endpoint_partner_exists references partner on delete cascade,
  url             text not null constraint webhook_endpoint_url_length check (char_length(url) between 9 and 2048),
  -- Sealed under a secret of the installation. The one before it signs beside it for a day after a rotation.
  sealed_secret   bytea not null,
  sealed_previous bytea,
  previous_until  timestamptz,
  disabled_reason text constraint webhook_endpoint_disabled_known check (disabled_reason in ('disabled_by_receiver')),
  created_at      timestamptz not null,
  changed_at      timestamptz not null,
  constraint webhook_endpoint_previous_whole check ((sealed_previous is null) = (previous_until is null))
);

-- One row for one move of one booking, or for a test event, which belongs to no booking.
create table webhook_delivery (
  id               text primary key constraint webhook_delivery_id_form check (id ~ '^msg_[0-9a-hjkmnp-tv-z]{26}$'),
  number           bigint generated always as identity constraint webhook_delivery_number_unique unique,
  partner_id       text not null constraint webhook_delivery_partner_exists references partner on delete cascade,
  booking_id       text,
  sequence         integer not null constraint webhook_delivery_sequence_positive check (sequence >= 0),
  event            text not null constraint webhook_delivery_event_known
                     check (event in ('sent','asking','offered','confirmed','declined','no_answer','cancelled','test')),
  -- Kept as text, so that every attempt sends the same bytes. Erased some time after the delivery has ended.
  data             json,
  state            text not null default 'pending' constraint webhook_delivery_state_known
                     check (state in ('pending','delivered','given_up')),
  attempts         integer not null default 0,
  -- While this lies ahead, an attempt is under way; once it is past, whoever made it has died.
  leased_until     timestamptz,
  -- It was its turn by the clock, but not by its place: whatever stands before it calls it. All others have a job.
  held             boolean not null default false,
  last_http_status integer,
  error            text,
  created_at       timestamptz not null,
  first_attempt_at timestamptz,
  last_attempt_at  timestamptz,
  next_attempt_at  timestamptz,
  finished_at      timestamptz,
  constraint webhook_delivery_once_per_move unique (partner_id, booking_id, sequence),
  constraint webhook_delivery_test_without_booking check ((event = 'test') = (booking_id is null)),
  constraint webhook_delivery_final_has_time check ((finished_at is not null) = (state <> 'pending')),
  constraint webhook_delivery_pending_has_next check ((next_attempt_at is not null) = (state = 'pending')),
  constraint webhook_delivery_lease_while_pending check (leased_until is null or state = 'pending'),
  constraint webhook_delivery_held_while_pending check (not held or state = 'pending'),
  constraint webhook_delivery_pending_has_data check (state <> 'pending' or data is not null)
);
create index webhook_delivery_newest on webhook_delivery (partner_id, number desc);
create index webhook_delivery_held on webhook_delivery (partner_id, number) where held;
create index webhook_delivery_pending on webhook_delivery (partner_id) where state = 'pending';
create index webhook_delivery_under_way on webhook_delivery (partner_id) where leased_until is not null;
create index webhook_delivery_of_booking on webhook_delivery (booking_id, sequence) where state = 'pending';
create index webhook_delivery_age on webhook_delivery (finished_at) where data is not null;
