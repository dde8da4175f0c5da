import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';

export type ActsAnswer = 'yes' | 'no';

/** An operator that says it speaks for the venue, and what of the listing is its word. */
export interface Representative {
  agentId: string;
  agentName: string;
  operatorName: string;
  /** What it says it is. */
  relationship: 'owner' | 'authorized_agent';
  since: Date;
  /** What the venue says of it; null before it has said anything. */
  answer: ActsAnswer | null;
  /** What the listing shows of it, by field. */
  said: { field: string; value: string }[];
}

/** What the venue of a claimed place said of an operator; null when it has said nothing. */
export async function answerAbout(db: Db, placeId: string, agentId: string): Promise<ActsAnswer | null> {
  const [row] = await db<{ answer: ActsAnswer }[]>`
    select answer from venue_representative where place_id = ${placeId} and agent_id = ${agentId}`;
  return row?.answer ?? null;
}

/** Everybody who spoke in the venue's name in what is live, those first of whom the venue has said nothing yet. */
export function listRepresentatives(db: Db, placeId: string): Promise<Representative[]> {
  return db<Representative[]>`
    select distinct on (v.answer is not null, s.agent_id) s.agent_id as "agentId", s.agent_name as "agentName",
           s.operator_name as "operatorName", r.content->>'relationship' as relationship, s.created_at as since,
           v.answer, coalesce((
             select jsonb_agg(jsonb_build_object('field', o.key, 'value', case o.key
               when 'hours' then p.hours->>'text'
               when 'languages' then array_to_string(p.languages, ', ')
               else to_jsonb(p)->>o.key end) order by o.key)
             from jsonb_each_text(p.origins) o
             join submission w on w.id = regexp_replace(o.value, '^owner:', '') and w.agent_id = s.agent_id
             join submission_revision wr on wr.submission_id = w.id and wr.revision = w.live_revision
             where wr.content->>'relationship' <> 'third_party'), '[]') as said
    from submission s
    join submission_revision r on r.submission_id = s.id and r.revision = s.live_revision
    join place p on p.id = s.place_id
    left join venue_representative v on v.place_id = s.place_id and v.agent_id = s.agent_id
    where s.place_id = ${placeId} and s.kind = 'business' and r.content->>'relationship' <> 'third_party'
    order by v.answer is not null, s.agent_id, s.created_at`;
}

/**
 * The venue says whether an operator acts for it. With its yes, what the operator said of the listing counts as the
 * venue's own word, and so does what it says later; without it that stays a third party's. It may change its answer.
 */
export async function answerForRepresentative(
  tx: Db,
  { now, audit }: Pick<Ctx, 'now' | 'audit'>,
  { placeId, agentId, answer }: { placeId: string; agentId: string; answer: ActsAnswer },
): Promise<'answered' | 'already' | 'not_found'> {
  await tx`select 1 from place where id = ${placeId} for update`;
  const known = await listRepresentatives(tx, placeId);
  const one = known.find((representative) => representative.agentId === agentId);
  if (one === undefined) return 'not_found';
  if (one.answer === answer) return 'already';
  await tx`
    insert into venue_representative (place_id, agent_id, answer, answered_at)
    values (${placeId}, ${agentId}, ${answer}, ${now})
    on conflict (place_id, agent_id) do update set answer = excluded.answer, answered_at = excluded.answered_at`;
  await settleWords(tx, placeId, now);
  audit(placeId, { agent_id: agentId, answer });
  return 'answered';
}

/**
 * Marks whose word each submitted field of a listing is, by what the venue says of its operator: the venue's or still the
 * operator's own. What the venue set itself is neither, and stays.
 */
export async function settleWords(tx: Db, placeId: string, now: Date): Promise<void> {
  await tx`
    with settled as (
      select o.key, case when s.id is null then o.value
                         when v.answer = 'yes' and r.content->>'relationship' <> 'third_party' then 'owner:' || s.id
                         else s.id end as origin
      from place p
      cross join lateral jsonb_each_text(p.origins) o
      left join submission s on s.id = regexp_replace(o.value, '^owner:', '')
      left join submission_revision r on r.submission_id = s.id and r.revision = s.live_revision
      left join venue_representative v on v.place_id = p.id and v.agent_id = s.agent_id
      where p.id = ${placeId})
    update place set updated_at = ${now},
      origins = (select coalesce(jsonb_object_agg(key, origin), '{}') from settled),
      hours = case (select case when origin like 'owner:%' then 'owner' when origin like 'sub%' then 'reviewer' end
                    from settled where key = 'hours')
        when 'owner' then hours || '{"source":"owner"}'
        when 'reviewer' then hours || '{"source":"reviewer"}'
        else hours end
    where id = ${placeId}`;
}
