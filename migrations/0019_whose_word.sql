-- Whose word a contact is: a venue is asked only by what was published, or by what it set itself.

-- What a map or a provider published of a contact ({phone, email, website}) in whose place something else is shown.
alter table place add column published jsonb not null default '{}'
  constraint place_published_object check (jsonb_typeof(published) = 'object');

-- What the venue says of an operator that speaks in its name. Without its yes the word stays a third party's.
create table venue_representative (
  place_id    text not null constraint venue_representative_claimed references venue_claim on delete cascade,
  agent_id    text not null constraint venue_representative_agent_exists references agent,
  answer      text not null constraint venue_representative_answer_known check (answer in ('yes','no')),
  answered_at timestamptz not null,
  primary key (place_id, agent_id)
);

-- A claim used to make every word of an owner's submission the venue's own. In its area a venue sets hours and
-- description only, and each change is on record: whatever else is called the owner's goes back to the submission that
-- said it, until the venue says that its operator acts for it.
with said as (
  select p.id, jsonb_object_agg(o.key, s.id) as origins
  from place p
  cross join lateral jsonb_each_text(p.origins) o
  cross join lateral (
    select s.id from submission s
    join submission_revision r on r.submission_id = s.id and r.revision = s.live_revision
    where s.place_id = p.id and s.kind = 'business' and r.content->>'relationship' = 'owner'
      and coalesce(r.content->>(case o.key when 'about' then 'description' else o.key end), '[]') <> '[]'
    order by s.reviewed_at desc nulls last, s.id limit 1) s
  where p.badge = 'claimed' and o.value = 'owner'
    and not exists (select from venue_edit e where e.place_id = p.id and e.part = o.key and e.undone_at is null
      and case o.key when 'hours' then e.after->'value'->>'text' = p.hours->>'text' else e.after->>'value' = p.about end)
  group by p.id
)
update place p set origins = p.origins || s.origins,
  hours = case when s.origins ? 'hours' then p.hours || '{"source":"reviewer"}' else p.hours end
from said s where p.id = s.id;

-- What was published before an agent's contact took its place is known where a code went to it, or where a provider
-- delivered it. The rest comes back with the next import of its map.
with known as (
  (select distinct on (place_id, channel) place_id, case channel when 'mail' then 'email' else 'phone' end as field,
          contact as value
   from claim_code where vouched_by is null
   order by place_id, channel, sent_at desc nulls last)
  union all
  select place_id, 'website', website from place_enrichment where website is not null
), held as (
  select p.id,
         jsonb_object_agg(k.field, k.value) filter (where lower(k.value) <> lower(s.value)) as published,
         array_agg(k.field) filter (where lower(k.value) = lower(s.value)) as same
  from known k join place p on p.id = k.place_id
  cross join lateral (select case k.field when 'email' then p.email when 'phone' then p.phone else p.website end) as s (value)
  where p.origins->>k.field not like 'owner%'
  group by p.id
)
update place p set published = coalesce(h.published, '{}'), origins = p.origins - coalesce(h.same, '{}')
from held h where p.id = h.id;

-- Open questions whether an operator acts for a business that went to an address of the operator's own: the link stops
-- working, and the desk asks.
with taken as (
  update business_confirmation c set channel = 'desk', contact = null,
    token_hash = sha256(convert_to(gen_random_uuid()::text, 'UTF8'))
  from submission_revision r
  where r.submission_id = c.submission_id and r.revision = c.revision and c.answer is null and c.channel <> 'desk'
    and lower(c.contact) in (lower(r.content->>'email'), lower(r.content->>'phone'))
    and not exists (select from venue_claim v where v.place_id = c.target_place and v.contact = c.contact)
    and not exists (select from place p where p.id = c.target_place and lower(c.contact) in (
      lower(case when p.origins ? 'email' then p.published->>'email' else p.email end),
      case when p.origins ? 'phone' then p.published->>'phone' else p.phone end))
  returning c.submission_id, c.revision, c.asked_at
)
insert into desk_task (kind, submission_id, revision, created_at)
select 'confirm_business', submission_id, revision, asked_at from taken
on conflict on constraint desk_task_once do nothing;
