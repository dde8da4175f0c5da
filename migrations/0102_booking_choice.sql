-- One table wanted at the first of several venues that has it: they are asked in order, each with a booking of its own.
-- What is wanted is stored here, because a booking may be changed; the guest's name is only in the first booking.
create table booking_choice (
  id             text primary key constraint booking_choice_id_form check (id ~ '^chc_[0-9a-hjkmnp-tv-z]{26}$'),
  partner_id     text not null constraint booking_choice_partner_exists references partner,
  place_ids      text[] not null constraint booking_choice_places_range check (cardinality(place_ids) between 2 and 6),
  date           date not null,
  time           text not null constraint booking_choice_time_form check (time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  time_until     text constraint booking_choice_time_until_form check (time_until ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  party_size     integer not null constraint booking_choice_party_size_range check (party_size between 1 and 30),
  answer_within_minutes integer not null
                   constraint booking_choice_answer_within_range check (answer_within_minutes between 5 and 720),
  -- How many of the venues had their turn. Those that could not be asked stand in refused, by position, with the code.
  turns          integer not null default 1
                   constraint booking_choice_turns_range check (turns between 1 and cardinality(place_ids)),
  refused        jsonb not null default '{}',
  -- Set when nobody further is to be asked: the partner cancelled, or a table of the choice was cancelled.
  ended_at       timestamptz,
  created_at     timestamptz not null
);

alter table booking
  add column choice_id text constraint booking_choice_exists references booking_choice,
  add column choice_position integer,
  add constraint booking_choice_has_position check ((choice_id is null) = (choice_position is null)),
  add constraint booking_choice_position_range check (choice_position between 1 and 6);

create unique index booking_choice_venue_once on booking (choice_id, choice_position) where choice_id is not null;
-- However many venues say yes at once, one of them has the table; a table stays taken while a change of it is requested.
create unique index booking_choice_one_table on booking (choice_id)
  where choice_id is not null and (status = 'confirmed' or held is not null);
