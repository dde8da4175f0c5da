import { cutTyped } from '../../core/text/visible-text.ts';
import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { requestConfirmation } from '../publish/confirm-business.ts';
import { queueDecisionCallback } from './decision-callback.ts';
import { readDiff } from './read-diff.ts';
import { matchedPlace } from './matched-place.ts';
import { publishBusiness, actsForVenue, wasConfirmed } from '../publish/publish-business.ts';
import { isReasonCode, reasonCodes } from './reason-codes.ts';
import { findRepresentationAnswer } from '../../venue/representative.ts';
import { findSubmission, TAKEDOWN_SQL, type BusinessSubmission, type Submission } from '../submission.ts';

export interface DecisionRequest {
  /** A business (sub_…) or a promotion (prm_…). */
  submissionId: string;
  revision: number;
  staffId: string;
  decision: 'approved' | 'rejected';
  /** One of reasonCodes; needed to reject. */
  reasonCode?: string | undefined;
  /** The reviewer's own text; the default of the code when it is empty. */
  reasonText?: string | undefined;
  fixHint?: string | undefined;
  /** The matching place: an id, or `new` for none. Defaults to the place that readForReview returns. */
  placeId?: string | undefined;
}

export type DecisionOutcome =
  | { outcome: 'decided' }
  | { outcome: 'already_decided'; by: string; at: Date; decision: string }
  | { outcome: 'newer_revision'; revision: number }
  | { outcome: 'not_found' };

const TEXT_MAX = 1_000;

export type DecideContext = Pick<Ctx, 'deps' | 'now'>;

/** The only writer of `approved` and `rejected`. The second of two reviewers gets the first one's decision back. */
export async function decideSubmission(
  tx: Db,
  { deps, now }: DecideContext,
  request: DecisionRequest,
): Promise<DecisionOutcome> {
  const reason = readReason(request);
  const submission = await findSubmission(tx, request.submissionId, { lock: true });
  if (submission === undefined) return { outcome: 'not_found' };
  const earlier = await findDecision(tx, request);
  if (earlier !== undefined) return { outcome: 'already_decided', ...earlier };
  if (submission.revision !== request.revision)
    return { outcome: 'newer_revision', revision: submission.revision };
  if (submission.takedown !== null) {
    const { by, at } = submission.takedown;
    return { outcome: 'already_decided', by, at: new Date(at), decision: 'rejected' };
  }
  const diff = JSON.stringify(await readDiff(tx, submission, request.placeId));
  await tx`
    insert into submission_decision (submission_id, revision, decision, decided_by, reason_code, reason_text,
      fix_hint, decided_at, diff)
    values (${submission.id}, ${submission.revision}, ${request.decision}, ${request.staffId}, ${reason.code},
      ${reason.text}, ${reason.fix}, ${now}, ${diff}::text::jsonb)`;
  await tx`delete from held_decision where submission_id = ${submission.id}`;
  await tx`
    update submission set status = ${request.decision}, reviewed_at = ${now}
    where id = ${submission.id} and revision = ${submission.revision} and status = 'pending_review'`;
  if (request.decision === 'approved') await applyApproval(tx, deps, submission, request);
  await queueDecisionCallback(deps, tx, submission.id);
  return { outcome: 'decided' };
}

function readReason({ decision, reasonCode, reasonText, fixHint }: DecisionRequest) {
  if (decision === 'approved') return { code: null, text: null, fix: null };
  if (reasonCode === undefined || !isReasonCode(reasonCode)) {
    const detail = `must be one of ${Object.keys(reasonCodes).join(', ')}`;
    throw new AppError('validation_failed', 'A rejection needs a reason code.', {
      errors: [{ pointer: '/reason_code', code: 'not_in_enum', detail }],
    });
  }
  const defaults = reasonCodes[reasonCode];
  return {
    code: reasonCode,
    text: cleanText(reasonText) ?? defaults.text,
    fix: cleanText(fixHint) ?? defaults.fix,
  };
}

function cleanText(text: string | undefined): string | undefined {
  const cleaned = text?.replaceAll(/(?![\t\n])\p{Cc}/gu, '').trim() ?? '';
  return cleaned === '' ? undefined : cutTyped(cleaned, TEXT_MAX);
}

/** Finds the decision about a revision, also one of another reviewer that takes effect within a minute. */
export async function findDecision(tx: Db, { submissionId, revision, staffId }: DecisionRequest) {
  const [decision] = await tx<{ by: string; at: Date; decision: string }[]>`
    select s.email as by, d.decided_at as at, d.decision
    from submission_decision d join staff s on s.id = d.decided_by
    where d.submission_id = ${submissionId} and d.revision = ${revision}
    union all
    select s.email, h.decided_at, h.decision from held_decision h join staff s on s.id = h.decided_by
    where h.submission_id = ${submissionId} and h.revision = ${revision} and h.decided_by <> ${staffId}`;
  return decision;
}

async function applyApproval(
  tx: Db,
  deps: DecideContext['deps'],
  submission: Submission,
  { placeId }: DecisionRequest,
): Promise<void> {
  if (submission.kind === 'promo') {
    await requireApprovedBusiness(tx, submission.business_id);
    await tx`update submission set live_revision = revision where id = ${submission.id}`;
    return;
  }
  const chosen = placeId === undefined || placeId === '' ? await matchedPlace(tx, submission) : placeId;
  const target = chosen === 'new' ? null : chosen;
  if (target !== null) await refuseDenied(tx, submission, target);
  const acts = target !== null && (await actsForVenue(tx, submission, target));
  if (
    submission.content.relationship === 'authorized_agent' &&
    !acts &&
    !(await wasConfirmed(tx, submission.id))
  ) {
    await requestConfirmation(deps, tx, submission, target);
    return;
  }
  await publishBusiness(deps, tx, submission, target);
}

/** Refuses an operator that the venue denied: it can only submit as a third party. */
async function refuseDenied(
  tx: Db,
  { content, agent_id }: BusinessSubmission,
  target: string,
): Promise<void> {
  if (
    content.relationship === 'third_party' ||
    (await findRepresentationAnswer(tx, target, agent_id)) !== 'no'
  )
    return;
  throw new AppError('relationship_denied', 'The venue says that this operator does not act for it.', {
    hint: 'Reject the submission. The operator can submit it as a third party. Nothing was changed.',
  });
}

async function requireApprovedBusiness(tx: Db, businessId: string): Promise<void> {
  const [business] = await tx`
    select 1 from submission s ${tx.unsafe(TAKEDOWN_SQL)}
    where s.id = ${businessId} and t.submission_id is null and (s.status = 'approved' or s.live_revision is not null)
    for share of s`;
  if (business !== undefined) return;
  throw new AppError('business_not_approved', 'The business of this promotion is not approved yet.', {
    hint: 'Decide about the business first. Nothing was changed.',
  });
}
