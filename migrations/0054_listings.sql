-- A listing that never was a place is removed: by its id it answers why and since when, the feed has a tombstone, and
-- nothing else shows it. Whatever leaves out closed places leaves it out too, because a removed place is never open.
alter table place add column removed_at timestamptz;
alter table place add column removal_reason text;
alter table place
  add constraint place_removal_reason_known check (removal_reason in ('invented', 'not_a_place')),
  add constraint place_removal_whole check ((removed_at is null) = (removal_reason is null)),
  add constraint place_removed_not_open check (removed_at is null or closed_at is not null);
create index place_removed_names on place (lower(name)) where removed_at is not null;

-- Who removed a listing and why, and what a restoration puts back.
create table listing_removal (
  id            bigint generated always as identity primary key,
  place_id      text not null constraint listing_removal_place_exists references place on delete cascade,
  reason        text not null,
  -- In the words of the person who removed it. The operators of its submissions are told.
  note          text not null,
  removed_by    text not null constraint listing_removal_by_staff references staff,
  removed_at    timestamptz not null,
  -- When the place was believed closed before it was removed; null: it was open.
  closed_before timestamptz,
  restored_by   text constraint listing_removal_restored_by_staff references staff,
  restored_at   timestamptz,
  constraint listing_removal_restored_whole check ((restored_at is null) = (restored_by is null))
);
create unique index listing_removal_once on listing_removal (place_id) where restored_at is null;

-- A submission that is taken down after its approval: the venue denied its operator, or the place does not exist. It
-- covers every revision up to this one, and a later revision goes to a reviewer as any other.
create table submission_takedown (
  submission_id text not null constraint submission_takedown_of references submission,
  revision      integer not null,
  -- What was live; null: nothing was.
  live_revision integer,
  place_id      text constraint submission_takedown_place_exists references place on delete set null,
  reason_code   text not null constraint submission_takedown_reason_known
                  check (reason_code in ('relationship_denied', 'not_a_real_place')),
  reason_text   text not null,
  fix_hint      text not null,
  -- 'venue', or the member of staff.
  taken_down_by text not null,
  taken_down_at timestamptz not null,
  restored_at   timestamptz,
  primary key (submission_id, revision)
);
create index submission_takedown_by_place on submission_takedown (place_id) where restored_at is null;

-- What was taken down is not live, whoever tries.
create function refuse_live_takedown() returns trigger language plpgsql as $$
begin
  if exists (select from submission_takedown t where t.submission_id = new.id and t.restored_at is null
             and t.revision >= new.live_revision) then
    raise exception 'a submission that was taken down is not live'
      using errcode = 'check_violation', constraint = 'submission_taken_down_not_live';
  end if;
  return new;
end $$;
create trigger submission_taken_down_not_live before update of live_revision on submission
  for each row when (new.live_revision is not null) execute function refuse_live_takedown();

-- Operators whom their venue has denied before: what they submitted for it is taken down.
insert into submission_takedown (submission_id, revision, live_revision, place_id, reason_code, reason_text, fix_hint,
  taken_down_by, taken_down_at)
select s.id, s.revision, s.live_revision, b.place_id, 'relationship_denied',
  'The business says that the operator does not act for it.',
  'Submit it with the relationship third_party, or have the business confirm you first.', 'venue', v.answered_at
from venue_representative v
join submission b on b.place_id = v.place_id and b.agent_id = v.agent_id and b.kind = 'business'
join submission s on s.id = b.id or (s.business_id = b.id and s.agent_id = v.agent_id)
where v.answer = 'no' and b.live_revision is not null;
update submission s set live_revision = null from submission_takedown t
where t.submission_id = s.id and s.live_revision is not null;

-- What an agent says no longer comes before what is published. An agent whom the business has confirmed keeps its rank.
do $$
declare
  place_row record;
  field text;
  claims jsonb;
  kept jsonb;
begin
  for place_row in
    select p.id, p.words from place p
    where p.words <> '{}' and exists (
      select from jsonb_each(p.words) f cross join lateral jsonb_array_elements(f.value) w where w->>'by' = 'agent')
    for update
  loop
    kept := place_row.words;
    for field in select jsonb_object_keys(place_row.words) loop
      select jsonb_agg(case when c.answer is null then w else w || jsonb_build_object('proof', 'confirmed:' || s.agent_id) end
                       order by w->>'by' = 'agent' and c.answer is null, n)
      into claims
      from jsonb_array_elements(place_row.words->field) with ordinality as e (w, n)
      left join submission s on s.id = w->>'ref'
      left join lateral (select 'yes' as answer from business_confirmation b
                         where b.submission_id = s.id and b.answer = 'yes' and w->>'by' = 'agent' limit 1) c on true
      where not exists (select from submission_takedown t where t.submission_id = w->>'ref' and t.restored_at is null);
      kept := case when claims is null then kept - field else kept || jsonb_build_object(field, claims) end;
    end loop;
    continue when kept = place_row.words;
    update place p set words = kept, updated_at = now(),
      name = coalesce(kept #>> '{name,0,value}', p.name),
      latin_name = case when coalesce(kept #>> '{name,0,value}', p.name) = p.name then p.latin_name end,
      vertical = case when place_row.words ? 'kind' then coalesce(kept #>> '{kind,0,value,vertical}', 'other') else p.vertical end,
      category = case when place_row.words ? 'kind' then coalesce(kept #>> '{kind,0,value,category}', 'other') else p.category end,
      city = case when place_row.words ? 'city' then kept #>> '{city,0,value}' else p.city end,
      address = case when place_row.words ? 'address' then kept #>> '{address,0,value}' else p.address end,
      phone = case when place_row.words ? 'phone' then kept #>> '{phone,0,value}' else p.phone end,
      email = case when place_row.words ? 'email' then kept #>> '{email,0,value}' else p.email end,
      website = case when place_row.words ? 'website' then kept #>> '{website,0,value}' else p.website end,
      about = case when place_row.words ? 'about' then kept #>> '{about,0,value}' else p.about end,
      price_range = case when place_row.words ? 'price_range' then kept #>> '{price_range,0,value}' else p.price_range end,
      languages = case when place_row.words ? 'languages' then coalesce(
        (select array_agg(l order by n) from jsonb_array_elements_text(
           case jsonb_typeof(kept #> '{languages,0,value}') when 'array' then kept #> '{languages,0,value}' end)
           with ordinality as e (l, n)), '{}')
        else p.languages end,
      -- Hours that stay the first keep what was worked out from them.
      hours = case when not place_row.words ? 'hours' or kept #> '{hours,0}' = place_row.words #> '{hours,0}' then p.hours
                   else nullif(kept #> '{hours,0,value}', 'null') end
    where p.id = place_row.id;
  end loop;
end $$;
