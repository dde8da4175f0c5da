-- What somebody is called, or has typed, stands apart from everything else, so that it can be erased as a value.

-- A message about tables is made of parts: [{about, text, nameless}], each about one booking, or none (the link). The body
-- is their texts, one below the other. Of whoever is erased, the part becomes its nameless text; other guests' parts stay.
alter table message
  add column parts jsonb,
  add constraint message_parts_go_with_body check (parts is null or body is not null),
  add constraint message_parts_array check (jsonb_typeof(parts) = 'array');
create index message_with_parts on message (sequence) where parts is not null;

-- Wherever a body goes, its parts go.
create function drop_message_parts() returns trigger language plpgsql as $$
begin
  new.parts := null;
  return new;
end $$;
create trigger message_parts_go before update of body on message for each row
  when (new.body is null and new.parts is not null) execute function drop_message_parts();

-- The record that a stored answer is about: it goes when somebody who is named in it is forgotten.
alter table idempotency_key add column subject text;
create index idempotency_key_subject on idempotency_key (subject) where subject is not null;

-- A name that was erased stays erased, and so do the notes, whoever still held the booking in hand.
create function keep_booking_erased() returns trigger language plpgsql as $$
begin
  new.guest_name := 'guest';
  new.notes := null;
  new.erased_at := coalesce(new.erased_at, old.erased_at);
  return new;
end $$;
create trigger booking_stays_erased before update on booking for each row
  when (old.erased_at is not null) execute function keep_booking_erased();

-- A licence stays as it was sold, but for the name of a photographer who is forgotten.
create or replace function keep_licence() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'attribution_line' = to_jsonb(old) - 'attribution_line' and exists (
    select from photo p join member m on m.id = p.member_id where p.id = new.photo_id and m.forgotten_at is not null) then
    return null;
  end if;
  if old.refunded_at is not null or new.refunded_at is null
    or to_jsonb(new) - array['refunded_at','refund_transaction_id']
       <> to_jsonb(old) - array['refunded_at','refund_transaction_id'] then
    raise exception 'a licence does not change'
      using errcode = 'restrict_violation', constraint = 'photo_licence_kept';
  end if;
  return null;
end $$;
