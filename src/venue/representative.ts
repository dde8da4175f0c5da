import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { FIELD_NAMES, type Field } from '../directory/word/field.ts';
import { show, wordsAbout, type SpokenPlace } from '../directory/word/speak.ts';
import { lockSpoken, writeSpoken } from '../directory/word/stored-words.ts';
import { wordText, type Word, type Words } from '../directory/word/word.ts';

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
  /** What it says of the place, by field. */
  said: { field: string; value: string }[];
}

/** What the venue of a claimed place said of an operator; null when it has said nothing. */
export async function answerAbout(db: Db, placeId: string, agentId: string): Promise<ActsAnswer | null> {
  const [row] = await db<{ answer: ActsAnswer }[]>`
    select answer from venue_representative where place_id = ${placeId} and agent_id = ${agentId}`;
  return row?.answer ?? null;
}

/**
 * Everybody who spoke in the venue's name in what is live, those first of whom the venue has said nothing yet; and whom
 * it has denied, so that it can change its answer.
 */
export async function listRepresentatives(db: Db, placeId: string): Promise<Representative[]> {
  const rows = await db<(Omit<Representative, 'said'> & { submissions: string[] | null; words: Words })[]>`
    select distinct on (v.answer is not null, s.agent_id) s.agent_id as "agentId", s.agent_name as "agentName",
           s.operator_name as "operatorName", case r.content->>'relationship' when 'owner' then 'owner' else 'authorized_agent' end as relationship, s.created_at as since,
           v.answer, p.words, (
             select array_agg(w.id) from submission w
             join submission_revision wr on wr.submission_id = w.id and wr.revision = w.live_revision
             where w.place_id = p.id and w.agent_id = s.agent_id
               and (wr.content->>'relationship' <> 'third_party' or v.answer = 'yes')) as submissions
    from submission s
    join submission_revision r on r.submission_id = s.id and r.revision = coalesce(s.live_revision, s.revision)
    join place p on p.id = s.place_id
    left join venue_representative v on v.place_id = s.place_id and v.agent_id = s.agent_id
    where s.place_id = ${placeId} and s.kind = 'business'
      and (v.answer is not null or (s.live_revision is not null and r.content->>'relationship' <> 'third_party'))
    order by v.answer is not null, s.agent_id, s.created_at`;
  return rows.map(({ submissions, words, ...one }) => ({ ...one, said: saidBy(words, submissions ?? []) }));
}

/** What these submissions say of the place, also where something else is shown. */
function saidBy(words: Words, submissions: readonly string[]): Representative['said'] {
  return Object.entries(words)
    .flatMap(([field, all]) => {
      const word = (all as Word[]).find(({ ref }) => submissions.includes(ref));
      return word === undefined ? [] : [{ field, word }];
    })
    .map(({ field, word }) => ({ field, value: wordText(word) }))
    .sort((a, b) => (a.field < b.field ? -1 : 1));
}

/**
 * Writes down whether an operator acts for the venue. With its yes, what the operator said of the listing counts as the
 * venue's own word, and so does what it says later. What follows from a no is in submissions/takedown. The venue may
 * change its answer.
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
  await settleWords(tx, placeId, agentId, now);
  audit(placeId, { agent_id: agentId, answer });
  return 'answered';
}

/**
 * What the operator said in the venue's name counts as the venue's word from now on, or is the operator's own again.
 */
async function settleWords(tx: Db, placeId: string, agentId: string, now: Date): Promise<void> {
  const [place] = await lockSpoken(tx, [placeId]);
  if (place === undefined) return;
  const spoken = await tx<{ id: string; acts: boolean; by: string }[]>`
    select s.id, v.answer = 'yes' and r.content->>'relationship' <> 'third_party' as acts, d.decided_by as by
    from submission s
    join submission_revision r on r.submission_id = s.id and r.revision = s.live_revision
    join submission_decision d on d.submission_id = s.id and d.revision = s.live_revision
    join venue_representative v on v.place_id = s.place_id and v.agent_id = s.agent_id
    where s.place_id = ${placeId} and s.agent_id = ${agentId}`;
  let settled = place;
  for (const field of FIELD_NAMES) settled = settleField(settled, field, agentId, spoken);
  await writeSpoken(tx, now, [settled]);
}

function settleField(
  place: SpokenPlace,
  field: Field,
  agentId: string,
  spoken: readonly { id: string; acts: boolean; by: string }[],
): SpokenPlace {
  const words = wordsAbout(place, field);
  const settled = words.map((word): Word => {
    const one = spoken.find(({ id }) => id === word.ref);
    if (one === undefined) return word;
    return one.acts
      ? { ...word, by: 'owner', proof: `acts:${agentId}` }
      : { ...word, by: 'agent', proof: `reviewed:${one.by}` };
  });
  return words.some((word, at) => word !== settled[at]) ? show(place, field, settled) : place;
}
