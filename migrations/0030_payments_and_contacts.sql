-- Test credit moves no money, so it gets only what was drawn for the demonstration. Licences from before stay as they are.
create function refuse_test_of_real_photo() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from photo p where p.id = new.photo_id and p.generated) then
    raise exception 'test credit does not license %', new.photo_id
      using errcode = 'check_violation', constraint = 'photo_licence_test_of_drawn_photo';
  end if;
  return new;
end $$;
create trigger photo_licence_test_of_drawn_photo before insert on photo_licence
  for each row when (new.test) execute function refuse_test_of_real_photo();

-- The last line against contacts, as before, but for numbers that are a date, a range of years or of prices, a time or a
-- round sum by their form: guests write those, and the application lets them through. It still refuses more than this.
create or replace function holds_contact(given text) returns boolean language sql immutable parallel safe as $$
  select given ~* '[^[:space:]@]@[^[:space:]@]|://|(^|[^[:alnum:]])www\.'
      or regexp_replace(
           regexp_replace(given,
             '(?<!\d)((19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](19|20)\d\d|(19|20)\d\d ?[-/] ?(19|20)\d\d'
             || '|[1-9]\d{0,2}00 ?- ?[1-9]\d{0,2}00|\d{1,2}[.:]\d\d|[1-9]\d{0,2}([. ]\d{3})*[. ]000)(?!\d)', 'x', 'g'),
           '[[:space:].-]', '', 'g') ~ '[0-9]{7}'
$$;
