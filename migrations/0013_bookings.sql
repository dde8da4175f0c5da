-- Bookings: the service asks, the venue decides. No column here or anywhere else takes a guest's contact.

-- Whether a text holds something by which a guest could be reached. The application refuses more and says why; this is
-- the last line, so that no other way in can store it.
create function holds_contact(given text) returns boolean language sql immutable parallel safe as $$
  select given ~* '[^[:space:]@]@[^[:space:]@]|://|(^|[^[:alnum:]])www\.'
      or regexp_replace(given, '[[:space:].-]', '', 'g') ~ '[0-9]{7}'
$$;

-- One row. Workers and writers read it in the transaction in which they act.
create table kill_switch (
  one      boolean primary key default true constraint kill_switch_one_row check (one),
  halted   boolean not null default false,
  since    timestamptz not null default now(),
  by_staff text constraint kill_switch_staff_exists references staff on delete set null,
  reason   text,
  constraint kill_switch_halt_has_reason check (not halted or reason <> '')
);
insert into kill_switch default values;

-- Whether bookings are halted, with the promise that this stays so until the transaction ends: a flip waits for it. Locks
-- of this kind queue in order, so that however much goes on, a flip is next after what is under way.
create function hold_kill_switch() returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7013, 1);
  return (select halted from kill_switch);
end $$;

-- The same for transactions that only write and are over in moments; they need not wait for actions under way.
create function read_kill_switch() returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7013, 2);
  return (select halted from kill_switch);
end $$;

-- What a flip takes before it writes.
create function lock_kill_switch() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7013, 1);
  perform pg_advisory_xact_lock(7013, 2);
  perform from kill_switch for update;
end $$;

create table booking (
  id              text primary key constraint booking_id_form check (id ~ '^bkg_[0-9a-hjkmnp-tv-z]{26}$'),
  partner_id      text not null constraint booking_partner_exists references partner,
  -- Places may go (merged, deleted); what was asked of them stays on record.
  place_id        text not null,
  status          text not null constraint booking_status_known check (status in (
                    'sent','asking','offered','confirmed','declined','no_answer','cancelled')),
  booked          boolean generated always as (status = 'confirmed') stored,
  revision        integer not null default 1 constraint booking_revision_range check (revision >= 1),
  last_sequence   integer not null constraint booking_sequence_range check (last_sequence >= 1),
  date            date not null,
  time            text not null constraint booking_time_form check (time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  party_size      integer not null constraint booking_party_size_range check (party_size between 1 and 30),
  timezone        text not null,
  -- The instant of date and time.
  table_at        timestamptz not null,
  for_type        text not null constraint booking_for_known check (for_type in ('guest','member')),
  member_id       text,
  guest_name      text not null constraint booking_guest_name_length check (char_length(guest_name) between 1 and 80)
                    constraint booking_guest_name_no_contact check (not holds_contact(guest_name)),
  notes           text constraint booking_notes_length check (char_length(notes) between 1 and 280)
                    constraint booking_notes_no_contact check (not holds_contact(notes)),
  channel         text not null constraint booking_channel_known
                    check (channel in ('venue_system','sms','mail','phone','desk')),
  answer_by       timestamptz,
  -- The table that the venue promised, while another is asked for in its stead: {date, time, party_size, ref, by, at}.
  held            jsonb,
  confirmed_at    timestamptz,
  confirmed_by    text constraint booking_confirmed_by_known
                    check (confirmed_by in ('venue','venue_system','desk')),
  confirmed_ref   text constraint booking_confirmed_ref_length check (char_length(confirmed_ref) <= 200),
  reverted        boolean not null default false,
  accepted_offer  text,
  reason          text constraint booking_reason_length check (char_length(reason) <= 200)
                    constraint booking_reason_no_contact check (not holds_contact(reason)),
  -- Set while the kill switch stops the asking.
  frozen_at       timestamptz,
  -- Set when the name and the notes were erased.
  erased_at       timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  constraint booking_member_has_id check ((for_type = 'member') = (member_id is not null)),
  -- Nothing is called booked before the venue said yes, and what it said is on record.
  constraint booking_confirmed_by_venue check (status <> 'confirmed' or (confirmed_at is not null and confirmed_by is not null)),
  constraint booking_held_only_while_open check (held is null or status in ('asking','offered')),
  constraint booking_accepted_only_while_offered check (accepted_offer is null or status = 'offered'),
  constraint booking_frozen_only_while_open check (frozen_at is null or status in ('sent','asking','offered'))
);
create index booking_by_partner on booking (partner_id, id desc);
create index booking_by_member on booking (member_id, id desc) where member_id is not null;
create index booking_by_place on booking (place_id, table_at);
create index booking_open on booking (status) where status in ('sent','asking','offered');
create index booking_to_erase on booking (table_at) where erased_at is null;

-- The timeline: what happened, in order, each entry sealed with the one before.
create table booking_entry (
  booking_id  text not null constraint booking_entry_booking_exists references booking on delete cascade,
  sequence    integer not null constraint booking_entry_sequence_range check (sequence >= 1),
  at          timestamptz not null,
  event       text not null constraint booking_entry_event_known check (event in (
                'sent','asking','offered','confirmed','declined','no_answer','cancelled',
                'channel_failed','reminder_sent','late_answer','no_show_reported','change_asked','offer_taken',
                'venue_told','notes_changed')),
  from_status text,
  to_status   text not null,
  actor       text not null constraint booking_entry_actor_known
                check (actor in ('partner','venue','venue_system','desk','service')),
  channel     text,
  revision    integer not null,
  text        text not null,
  hash        bytea not null constraint booking_entry_sha256 check (octet_length(hash) = 32),
  primary key (booking_id, sequence),
  -- A move is named after where it leads; whatever else is told leaves the status as it is.
  constraint booking_entry_names_its_move check (
    case when event in ('sent','asking','offered','confirmed','declined','no_answer','cancelled')
         then event = to_status and (from_status is null) = (event = 'sent')
              and from_status is distinct from to_status
         else from_status is not distinct from to_status end)
);
create trigger booking_entry_append_only before update or truncate on booking_entry
  for each statement execute function refuse_change();

-- The moves that there are. moves.ts says in addition who may make them and when.
create table booking_move (
  from_status text not null,
  to_status   text not null,
  primary key (from_status, to_status)
);
insert into booking_move (from_status, to_status) values
  ('sent','asking'), ('sent','cancelled'),
  ('asking','offered'), ('asking','confirmed'), ('asking','declined'), ('asking','no_answer'), ('asking','cancelled'),
  ('offered','confirmed'), ('offered','asking'), ('offered','declined'), ('offered','cancelled'),
  ('confirmed','asking'), ('confirmed','cancelled');

create function check_booking_move() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status <> 'sent' then
      raise exception 'a booking begins as sent' using errcode = 'check_violation', constraint = 'booking_begins_sent';
    end if;
  elsif new.status <> old.status
    and not exists (select from booking_move where from_status = old.status and to_status = new.status)
    -- A venue may take back its no for two minutes: that is no move of a booking which has ended, but its end undone.
    and not (old.status = 'declined' and new.status = 'asking'
             and exists (select from venue_undo u where u.booking_id = new.id and u.sequence = old.last_sequence)) then
    raise exception 'a booking does not go from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'booking_move_legal';
  end if;
  return new;
end $$;
create trigger booking_move_legal before insert or update of status on booking
  for each row execute function check_booking_move();

-- A move without its entry, or an entry that tells another story, does not commit.
create function check_booking_told() returns trigger language plpgsql as $$
begin
  if not exists (
    select from booking b join booking_entry e on e.booking_id = b.id
    where b.id = new.id and e.sequence = b.last_sequence and e.to_status = b.status
      and not exists (select from booking_entry later where later.booking_id = b.id and later.sequence > b.last_sequence))
  then
    raise exception 'the timeline of % does not tell where it stands', new.id
      using errcode = 'check_violation', constraint = 'booking_timeline_tells';
  end if;
  return null;
end $$;
create constraint trigger booking_timeline_tells after insert or update of status, last_sequence on booking
  deferrable initially deferred for each row execute function check_booking_told();

create table booking_offer (
  id          text primary key constraint booking_offer_id_form check (id ~ '^off_[0-9a-hjkmnp-tv-z]{26}$'),
  booking_id  text not null constraint booking_offer_booking_exists references booking on delete cascade,
  revision    integer not null,
  date        date not null,
  time        text not null constraint booking_offer_time_form check (time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  party_size  integer not null constraint booking_offer_party_size_range check (party_size between 1 and 30),
  table_at    timestamptz not null,
  note        text constraint booking_offer_note_length check (char_length(note) <= 280),
  made_by     text not null constraint booking_offer_made_by_known check (made_by in ('venue','venue_system','desk')),
  expires_at  timestamptz not null,
  state       text not null default 'open' constraint booking_offer_state_known
                check (state in ('open','accepted','lapsed','withdrawn','superseded')),
  created_at  timestamptz not null
);
create index booking_offer_by_booking on booking_offer (booking_id, id);

-- One row for each step by which a venue is asked or told, claimed and committed before anything leaves. A venue is
-- never asked twice for one revision and step, whoever crashes when.
create table venue_ask (
  id          bigint generated always as identity primary key,
  booking_id  text not null constraint venue_ask_booking_exists references booking on delete cascade,
  revision    integer not null,
  -- ask: by this channel. reminder, tell_*: as channel.ts names purposes.
  step        text not null constraint venue_ask_step_known check (step in (
                'ask','accept','reminder','tell_cancelled','tell_accepted','tell_kept')),
  channel     text not null constraint venue_ask_channel_known
                check (channel in ('venue_system','sms','mail','phone','desk')),
  -- queued: to be done. sending: claimed, and on its way unless its lease is over. posted: in the outbox. waiting: on the desk's list.
  -- pending: the venue's system will decide later. answered: the venue said something. ended: no answer is wanted any more.
  state       text not null default 'sending' constraint venue_ask_state_known check (state in (
                'queued','sending','posted','waiting','asked','pending','answered','failed','ended')),
  claimed_at  timestamptz not null,
  -- By the database's own clock, which all nodes share: past it, whoever was sending has died.
  leased_until timestamptz,
  asked_at    timestamptz,
  polls       integer not null default 0,
  polled_at   timestamptz,
  -- The desk's list: who has taken it, and from when on it may be tried (again).
  taken_by    text constraint venue_ask_taken_by_exists references staff on delete set null,
  taken_at    timestamptz,
  not_before  timestamptz,
  -- What the channel calls it: a call, or a booking in the venue's system.
  ref         text,
  message_id  text,
  detail      text,
  -- SHA-256 of the token of the tap page; the page dies with the ask.
  token_hash  bytea constraint venue_ask_token_sha256 check (octet_length(token_hash) = 32)
                constraint venue_ask_token_unique unique,
  constraint venue_ask_once unique (booking_id, revision, step, channel)
);
create index venue_ask_by_message on venue_ask (message_id) where message_id is not null;
create index venue_ask_by_ref on venue_ask (ref) where ref is not null;
create index venue_ask_queued on venue_ask (booking_id) where state = 'queued';
create index venue_ask_for_desk on venue_ask (claimed_at) where channel = 'desk' and state in ('waiting','asked');

-- What a venue answered last, as long as it may take it back.
create table venue_undo (
  booking_id text primary key constraint venue_undo_booking_exists references booking on delete cascade,
  -- The entry that the answer made: with a later one, there is nothing to take back any more.
  sequence   integer not null,
  actor      text not null,
  until      timestamptz not null,
  -- What the booking and its place were before.
  before     jsonb not null
);

-- A venue's own booking system, which speaks the Booking Server API v3.
create table venue_connector (
  place_id             text primary key constraint venue_connector_place_exists references place on delete cascade,
  base_url             text not null constraint venue_connector_url_http check (base_url ~* '^https?://'),
  merchant_id          text not null,
  service_id           text not null,
  username             text not null,
  -- Sealed by core/seal.ts.
  password             bytea not null,
  duration_sec         integer not null default 5400 constraint venue_connector_duration_range check (duration_sec > 0),
  -- Only venues that agreed to the desk's contact in place of the guest's are asked by this channel.
  accepts_desk_contact boolean not null default false,
  enabled              boolean not null default true,
  created_at           timestamptz not null,
  updated_at           timestamptz not null
);

-- Messages about bookings stop with the kill switch, and say when they have gone.
alter table message
  add column stops_when_halted boolean not null default false,
  add column on_finish text;
create index message_halted on message (id) where stops_when_halted and state = 'queued';
