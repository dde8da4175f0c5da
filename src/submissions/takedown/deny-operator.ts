import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { answerForRepresentative, type RepresentationAnswer } from '../../venue/representative.ts';
import { RELATIONSHIP_DENIED } from '../review/reason-codes.ts';
import { restoreSubmissions } from './restore-submissions.ts';
import { takeDownSubmissions } from './take-down.ts';

interface RepresentativeAnswer {
  placeId: string;
  agentId: string;
  answer: RepresentationAnswer;
}

/**
 * Records the answer of a claimed place's venue about whether an operator acts for it. A no takes down everything that
 * the operator submitted for the place. A yes after a no restores it, with the venue's provenance.
 */
export async function answerRepresentative(
  tx: Db,
  ctx: Pick<Ctx, 'deps' | 'now' | 'audit'>,
  request: RepresentativeAnswer,
): Promise<'answered' | 'already' | 'not_found'> {
  const outcome = await answerForRepresentative(tx, ctx, request);
  if (outcome !== 'answered') return outcome;
  const { placeId, agentId, answer } = request;
  if (answer === 'no') await denyOperator(tx, ctx, { placeId, agentId });
  else await restoreSubmissions(ctx.deps, tx, { placeId, agentId });
  return outcome;
}

/**
 * Takes down everything that an operator submitted for one place, live or pending; and the submission that the venue
 * was asked about.
 */
export async function denyOperator(
  tx: Db,
  ctx: Pick<Ctx, 'deps' | 'now'>,
  { placeId, agentId, submissionId }: { placeId: string; agentId: string; submissionId?: string },
): Promise<void> {
  const submissions = await tx<{ id: string }[]>`
    select s.id from submission s
    join submission_revision r on r.submission_id = s.id and r.revision = s.revision
    where s.agent_id = ${agentId} and s.kind = 'business'
      and (s.place_id = ${placeId} or (s.place_id is null and r.matched_place = ${placeId})
           or s.id = ${submissionId ?? null})`;
  await takeDownSubmissions(tx, ctx, {
    submissions: submissions.map(({ id }) => id),
    reason: RELATIONSHIP_DENIED,
    by: 'venue',
  });
}
