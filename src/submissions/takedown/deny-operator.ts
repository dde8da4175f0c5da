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

/** Records whether an operator acts for a venue. A no takes down what it submitted; a yes after a no restores it. */
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

/** Takes down everything that an operator submitted for a place, and the submission that the venue was asked about. */
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
