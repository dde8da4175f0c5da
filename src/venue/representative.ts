import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { SHARED_FIELDS, type ClaimField } from '../directory/provenance/field.ts';
import { withClaims, claimsFor, type PlaceWithClaims } from '../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../directory/provenance/stored-claims.ts';
import { claimText, type FieldClaim, type FieldClaims } from '../directory/provenance/field-claim.ts';

export type RepresentationAnswer = 'yes' | 'no';

/** An operator that claims to act for the venue, with the listing data that it provided. */
export interface Representative {
  agentId: string;
  agentName: string;
  operatorName: string;
  /** Relationship that it declared. */
  relationship: 'owner' | 'authorized_agent';
  since: Date;
  /** The venue's answer; null before it has answered. */
  answer: RepresentationAnswer | null;
  said: { field: string; value: string }[];
}

export async function findRepresentationAnswer(
  db: Db,
  placeId: string,
  agentId: string,
): Promise<RepresentationAnswer | null> {
  const [row] = await db<{ answer: RepresentationAnswer }[]>`
    select answer from venue_representative where place_id = ${placeId} and agent_id = ${agentId}`;
  return row?.answer ?? null;
}

/** Lists operators with live data in the venue's name, unanswered ones first, and those that it denied. */
export async function listRepresentatives(db: Db, placeId: string): Promise<Representative[]> {
  const rows = await db<
    (Omit<Representative, 'said'> & { submissions: string[] | null; field_claims: FieldClaims })[]
  >`
    select distinct on (v.answer is not null, s.agent_id) s.agent_id as "agentId", s.agent_name as "agentName",
           s.operator_name as "operatorName", case r.content->>'relationship' when 'owner' then 'owner' else 'authorized_agent' end as relationship, s.created_at as since,
           v.answer, p.field_claims, (
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
  return rows.map(({ submissions, field_claims, ...representative }) => ({
    ...representative,
    said: claimsBy(field_claims, submissions ?? []),
  }));
}

function claimsBy(field_claims: FieldClaims, submissions: readonly string[]): Representative['said'] {
  return Object.entries(field_claims)
    .flatMap(([field, claims]) => {
      const claim = (claims as FieldClaim[]).find(({ ref }) => submissions.includes(ref));
      return claim === undefined ? [] : [{ field, claim }];
    })
    .map(({ field, claim }) => ({ field, value: claimText(claim) }))
    .sort((a, b) => (a.field < b.field ? -1 : 1));
}

/** Records whether an operator acts for the venue; after a yes, its claims count as the venue's own. */
export async function answerForRepresentative(
  tx: Db,
  { now, audit }: Pick<Ctx, 'now' | 'audit'>,
  { placeId, agentId, answer }: { placeId: string; agentId: string; answer: RepresentationAnswer },
): Promise<'answered' | 'already' | 'not_found'> {
  await tx`select 1 from place where id = ${placeId} for update`;
  const representatives = await listRepresentatives(tx, placeId);
  const current = representatives.find((representative) => representative.agentId === agentId);
  if (current === undefined) return 'not_found';
  if (current.answer === answer) return 'already';
  await tx`
    insert into venue_representative (place_id, agent_id, answer, answered_at)
    values (${placeId}, ${agentId}, ${answer}, ${now})
    on conflict (place_id, agent_id) do update set answer = excluded.answer, answered_at = excluded.answered_at`;
  await updateProvenance(tx, placeId, agentId, now);
  audit(placeId, { agent_id: agentId, answer });
  return 'answered';
}

/** Marks the operator's claims as the venue's own, or as the operator's again. */
async function updateProvenance(tx: Db, placeId: string, agentId: string, now: Date): Promise<void> {
  const [place] = await lockPlaceClaims(tx, [placeId]);
  if (place === undefined) return;
  const submissions = await tx<{ id: string; acts: boolean; by: string }[]>`
    select s.id, v.answer = 'yes' and r.content->>'relationship' <> 'third_party' as acts, d.decided_by as by
    from submission s
    join submission_revision r on r.submission_id = s.id and r.revision = s.live_revision
    join submission_decision d on d.submission_id = s.id and d.revision = s.live_revision
    join venue_representative v on v.place_id = s.place_id and v.agent_id = s.agent_id
    where s.place_id = ${placeId} and s.agent_id = ${agentId}`;
  let updated = place;
  for (const field of SHARED_FIELDS) updated = updateField(updated, field, agentId, submissions);
  await writePlaceClaims(tx, now, [updated]);
}

function updateField(
  place: PlaceWithClaims,
  field: ClaimField,
  agentId: string,
  submissions: readonly { id: string; acts: boolean; by: string }[],
): PlaceWithClaims {
  const claims = claimsFor(place, field);
  const updated = claims.map((claim): FieldClaim => {
    const submission = submissions.find(({ id }) => id === claim.ref);
    if (submission === undefined) return claim;
    return submission.acts
      ? { ...claim, by: 'owner', proof: `acts:${agentId}` }
      : { ...claim, by: 'agent', proof: `reviewed:${submission.by}` };
  });
  return claims.some((claim, index) => claim !== updated[index]) ? withClaims(place, field, updated) : place;
}
