-- A venue asks for another address together with its pin. Null: the address stays. A program that does not know it
-- decides about the pin alone.
alter table venue_move
  add column from_address text,
  add column address text constraint venue_move_address_length check (char_length(address) between 1 and 300);
