-- Travellers' photos of places: what was uploaded, what a person found when looking at it, and its drop.

create table photo (
  id         text primary key constraint photo_id_form check (id ~ '^pho_[0-9a-hjkmnp-tv-z]{26}$'),
  member_id  text not null constraint photo_member_exists references member,
  -- Null once the directory has lost the place. Such a photo is offered nowhere.
  place_id   text constraint photo_place_exists references place on delete set null,
  state      text not null default 'processing' constraint photo_state_known check (state in (
               'processing','refused','to_check','approved','rejected','live','ended','withdrawn')),
  -- Why the picture could not be used, when its state is refused.
  refusal    text,
  caption    text not null default '' constraint photo_caption_length check (char_length(caption) <= 200),
  -- All that is kept of when it was taken; of where, nothing is kept but the place.
  month      text constraint photo_month_form check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- Width, height, hash and size are those of the clean full-size file, which licensees get.
  width      integer,
  height     integer,
  sha256     bytea constraint photo_sha256_length check (octet_length(sha256) = 32),
  bytes      integer,
  -- What the picture looks like: two that look alike differ in few bits.
  phash      bit(64),
  -- The file as it came, so that the same file sent twice becomes one photo.
  upload_sha256 bytea constraint photo_upload_sha256_length check (octet_length(upload_sha256) = 32),
  -- Drawn by a program for the demonstration: it shows nobody, so nobody has to look.
  generated  boolean not null default false,
  -- The price of each use in US cents before the first licence of a drop; null: not offered for that use.
  price_social      integer constraint photo_price_social_range check (price_social between 1 and 100000),
  price_web         integer constraint photo_price_web_range check (price_web between 1 and 100000),
  price_ad          integer constraint photo_price_ad_range check (price_ad between 1 and 100000),
  price_ai_training integer constraint photo_price_ai_training_range check (price_ai_training between 1 and 100000),
  drop_cap   integer not null default 10 constraint photo_drop_cap_range check (drop_cap between 1 and 100),
  -- How many drops there have been. `sold` and the price ladder begin anew with each.
  drop_number integer not null default 0 constraint photo_drop_number_range check (drop_number >= 0),
  sold       integer not null default 0 constraint photo_sold_range check (sold >= 0),
  -- Grows with every licence and every new drop: what was quoted for one version holds for no other.
  version    integer not null default 0,
  live_at    timestamptz,
  ends_at    timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- False once the files of a photo that nobody could license were deleted.
  has_files  boolean not null default true,
  -- This exists so that a foreign key below can demand that somebody decided.
  decided    text generated always as (
               case when state in ('approved','live','ended') then 'approved'
                    when state = 'rejected' then 'rejected' end) stored,
  constraint photo_generated_exact unique (id, generated),
  constraint photo_drop_cap_held check (sold <= drop_cap),
  constraint photo_refused_with_reason check ((state = 'refused') = (refusal is not null)),
  constraint photo_processed_whole check (state in ('processing','refused','withdrawn')
    or num_nulls(month, width, height, sha256, bytes, phash) = 0),
  constraint photo_drop_whole check (num_nonnulls(live_at, ends_at) in (0, 2) and ends_at > live_at),
  constraint photo_live_has_drop check (state not in ('live','ended') or (ends_at is not null and drop_number > 0)),
  constraint photo_live_offers_a_use check (state <> 'live'
    or num_nonnulls(price_social, price_web, price_ad, price_ai_training) > 0)
);
create index photo_by_member on photo (member_id, created_at desc, id desc);
create index photo_by_place on photo (place_id);
create index photo_live on photo (live_at desc, id desc) where state = 'live';
create index photo_files_to_delete on photo (updated_at)
  where has_files and drop_number = 0 and state in ('refused','rejected','withdrawn');
create index photo_queue on photo (created_at, id) where state = 'to_check';
create unique index photo_upload_once on photo (member_id, upload_sha256)
  where state not in ('refused','rejected','withdrawn');

-- What a person decided after looking at the picture. There is one decision for each photo.
create table photo_check (
  photo_id   text constraint photo_check_once primary key,
  decision   text not null constraint photo_check_decision_known check (decision in ('approved','rejected')),
  reason     text constraint photo_check_reason_known check (reason in (
               'people','plate_numbers','not_the_place','duplicate','poor_quality')),
  generated  boolean not null default false,
  decided_by text constraint photo_check_staff_exists references staff,
  decided_at timestamptz not null,
  constraint photo_check_exact unique (photo_id, decision),
  constraint photo_check_of_photo foreign key (photo_id, generated) references photo (id, generated),
  constraint photo_check_by_person check (generated or decided_by is not null),
  constraint photo_check_rejected_with_reason check ((decision = 'rejected') = (reason is not null))
);
create index photo_check_time on photo_check (decided_at desc);

-- Nothing but such a decision makes a photo approved, live or rejected.
alter table photo add constraint photo_decided_by_person
  foreign key (id, decided) references photo_check (photo_id, decision);

create trigger photo_check_append_only before update or delete on photo_check
  for each statement execute function refuse_change();

create function refuse_photo_emptying() returns trigger language plpgsql as $$
begin
  if exists (select 1 from photo) then
    raise exception 'photos are kept, because licences name them'
      using errcode = 'restrict_violation', constraint = 'photo_kept';
  end if;
  return null;
end $$;
create trigger photo_not_emptied before truncate on photo
  for each statement execute function refuse_photo_emptying();

-- Buyers rely on the ladder: while a drop runs, its prices, its size and its end stand still.
create function keep_photo_drop() returns trigger language plpgsql as $$
begin
  if (new.price_social, new.price_web, new.price_ad, new.price_ai_training,
      new.drop_cap, new.drop_number, new.live_at, new.ends_at)
    is distinct from (old.price_social, old.price_web, old.price_ad, old.price_ai_training,
      old.drop_cap, old.drop_number, old.live_at, old.ends_at) then
    raise exception 'prices and size of a running drop cannot change'
      using errcode = 'restrict_violation', constraint = 'photo_drop_fixed_while_live';
  end if;
  return new;
end $$;
create trigger photo_drop_kept before update on photo for each row
  when (old.state = 'live' and new.state = 'live') execute function keep_photo_drop();

-- [{photo_id, by, caption}]: the approved photos that a place is shown with, the newest first. It stands in the
-- place's own row, so that whoever follows the directory follows these too.
alter table place add column member_photos jsonb not null default '[]'
  constraint place_member_photos_array check (jsonb_typeof(member_photos) = 'array');

create function show_member_photos(shown_on text, at timestamptz) returns void language plpgsql as $$
begin
  -- The lock comes first: of two photos that are approved at once, the second must count the first.
  perform from place where id = shown_on for no key update;
  update place p set member_photos = s.photos, updated_at = greatest(p.updated_at, at) from (
    select coalesce(jsonb_agg(jsonb_build_object('photo_id', o.id, 'by', o.display_name, 'caption', o.caption)
      order by o.created_at desc, o.id desc), '[]') as photos
    from (select f.id, f.caption, f.created_at, m.display_name from photo f join member m on m.id = f.member_id
          where f.place_id = shown_on and f.state in ('approved','live','ended')
          order by f.created_at desc, f.id desc limit 8) o) s
  where p.id = shown_on and p.member_photos is distinct from s.photos;
end $$;

create function follow_photo() returns trigger language plpgsql as $$
declare
  was_shown boolean := tg_op = 'UPDATE' and old.state in ('approved','live','ended');
begin
  if not was_shown and new.state not in ('approved','live','ended') then
    return null;
  end if;
  if was_shown and old.place_id is distinct from new.place_id and old.place_id is not null then
    perform show_member_photos(old.place_id, new.updated_at);
  end if;
  if new.place_id is not null then
    perform show_member_photos(new.place_id, new.updated_at);
  end if;
  return null;
end $$;
create trigger photo_shown after insert or update of state, place_id, caption on photo
  for each row execute function follow_photo();

create function follow_member() returns trigger language plpgsql as $$
begin
  -- Whoever is forgotten shows nothing any more. What was licensed before stays licensed.
  if new.forgotten_at is not null then
    update photo set state = 'withdrawn', updated_at = new.forgotten_at, caption = ''
    where member_id = new.id and state not in ('refused','rejected','withdrawn');
  else
    perform show_member_photos(f.place_id, now()) from (select distinct place_id from photo
      where member_id = new.id and place_id is not null and state in ('approved','live','ended') order by place_id) f;
  end if;
  return null;
end $$;
create trigger photo_follows_member after update of display_name, forgotten_at on member for each row
  when ((old.display_name, old.forgotten_at) is distinct from (new.display_name, new.forgotten_at))
  execute function follow_member();
