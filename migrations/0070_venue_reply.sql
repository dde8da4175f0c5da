-- Replies of venues to our messages. The provider's id makes a repeated delivery a no-op.
create table venue_reply (
  id          text primary key constraint venue_reply_id_length check (char_length(id) between 1 and 200),
  sender      text not null constraint venue_reply_sender_present check (sender <> ''),
  received_at timestamptz not null,
  reading     text not null constraint venue_reply_reading_known
                check (reading in ('yes','no','offer','stop','start','unclear')),
  -- The request that it was about.
  booking_id  text constraint venue_reply_booking_exists references booking on delete set null,
  answered    boolean not null default false,
  -- How the places took bookings before a stop: [{place_id, method, chosen}].
  routes      jsonb constraint venue_reply_routes_of_stop check (routes is null or reading = 'stop')
);
create index venue_reply_by_sender on venue_reply (sender, received_at);
create index venue_reply_age on venue_reply (received_at) where reading <> 'stop';
create index message_by_recipient on message (recipient, sequence) where stops_when_halted;
