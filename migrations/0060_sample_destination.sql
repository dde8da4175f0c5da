-- Destinations whose real places came with the demonstration, which contacts no real venue. The flag ends with the first
-- import of the operator's own that covers the destination.
alter table destination add column sample boolean not null default false;

create function is_sample_venue(asked_id text) returns boolean language sql stable as $$
  select exists (
    select from place p join destination d on d.id = p.destination_id
    where p.id = asked_id and d.sample and p.source <> 'demo')
$$;

-- Contacts and codes of such venues are withheld by contactsOf(); these keep it true.
create function refuse_sample_venue() returns trigger language plpgsql as $$
begin
  if is_sample_venue(new.place_id) then
    raise exception 'the demonstration contacts no real venue'
      using errcode = 'check_violation', constraint = tg_argv[0];
  end if;
  return new;
end $$;
create trigger booking_not_at_sample_venue before insert on booking
  for each row execute function refuse_sample_venue('booking_not_at_sample_venue');
create trigger claim_code_not_at_sample_venue before insert on claim_code
  for each row execute function refuse_sample_venue('claim_code_not_at_sample_venue');
