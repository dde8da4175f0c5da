import { randomBytes } from 'node:crypto';
import type { Ctx, OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { hashToken } from '../../core/secret/token.ts';
import { postMessage } from '../../messages/post-message.ts';
import { venueContacts } from '../../venue/contact.ts';
import { denyOperator } from '../takedown/deny-operator.ts';
import { queueDecisionCallback } from '../review/decision-callback.ts';
import { publishBusiness } from './publish-business.ts';
import { findSubmission, type BusinessContent, type BusinessSubmission } from '../submission.ts';

const TOKEN_BYTES = 24;

/** Asks the business whether the operator acts for it. The approved listing is not live until it confirms. */
export async function requestConfirmation(
  deps: OperationDeps,
  tx: Db,
  submission: BusinessSubmission,
  target: string | null,
): Promise<void> {
  const now = deps.clock.now();
  const { id, revision, content } = submission;
  // Only a contact that the venue publishes itself: at an address from the submission, the submitter would answer.
  const [contact] = target === null ? [] : (await venueContacts(tx, target)).messageContacts;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await tx`
    insert into business_confirmation (submission_id, revision, token_hash, channel, contact, target_place, asked_at)
    values (${id}, ${revision}, ${hashToken(token)}, ${contact?.channel ?? null}, ${contact?.to ?? null}, ${target},
            ${now})`;
  await tx`update submission set live_blocked_by = 'business_confirmation' where id = ${id}`;
  if (contact === undefined) {
    await tx`
      insert into desk_task (kind, submission_id, revision, created_at)
      values ('confirm_business', ${id}, ${revision}, ${now})
      on conflict on constraint desk_task_once do nothing`;
    return;
  }
  const { serviceName, baseUrl } = deps.config;
  await postMessage(
    tx,
    { newId: deps.newId, now },
    {
      channel: contact.channel,
      to: contact.to,
      subject: `${serviceName}: does ${submission.operator_name} act for ${content.name}?`,
      text: `${submission.operator_name} claims to manage ${content.name} with your permission and wants to list it on ${serviceName}. Nothing is shown until you answer.\n\nPlease say yes or no here:\n${baseUrl}/venue/confirm/${token}\n\nIf you do not recognise this, answer no: the listing is then refused.`,
      purpose: 'business_confirmation',
      subject_id: id,
    },
  );
}

export interface ConfirmationQuestion {
  submissionId: string;
  revision: number;
  agentName: string;
  operatorName: string;
  content: BusinessContent;
  answer: 'yes' | 'no' | null;
}

type ConfirmationRef = { token: string } | { submissionId: string };

/** Reads the question to a business, by the token of its link or by submission. */
export async function findQuestion(db: Db, ref: ConfirmationRef): Promise<ConfirmationQuestion | undefined> {
  const by =
    'token' in ref
      ? db`c.token_hash = ${hashToken(ref.token)}`
      : db`c.submission_id = ${ref.submissionId} order by c.revision desc limit 1`;
  const [question] = await db<ConfirmationQuestion[]>`
    select c.submission_id as "submissionId", c.revision, s.agent_name as "agentName",
           s.operator_name as "operatorName", r.content, c.answer
    from business_confirmation c join submission s on s.id = c.submission_id
    join submission_revision r on r.submission_id = c.submission_id and r.revision = c.revision
    where ${by}`;
  return question;
}

export type ConfirmationOutcome =
  { outcome: 'answered' } | { outcome: 'already'; answer: 'yes' | 'no' } | { outcome: 'not_found' };

/** Records the answer of a business: a yes publishes the approved listing, a no rejects it. It is final. */
export async function answerConfirmation(
  tx: Db,
  { deps, now, audit }: Pick<Ctx, 'deps' | 'now' | 'audit'>,
  ref: ConfirmationRef,
  answer: 'yes' | 'no',
  answeredBy: 'business' | { staffId: string },
): Promise<ConfirmationOutcome> {
  const question = await findQuestion(tx, ref);
  const submission = question && (await findSubmission(tx, question.submissionId, { lock: true }));
  if (question === undefined || submission?.kind !== 'business') return { outcome: 'not_found' };
  const by = answeredBy === 'business' ? 'business' : answeredBy.staffId;
  // The answer is about the operator, so it applies to every revision that waits for one.
  const answered = await tx<{ revision: number; target_place: string | null }[]>`
    update business_confirmation set answer = ${answer}, answered_at = ${now}, answered_by = ${by}
    where submission_id = ${submission.id} and answer is null and ${question.answer === null}
    returning revision, target_place`;
  if (answered.length === 0) {
    const current = await findQuestion(tx, ref);
    return { outcome: 'already', answer: current?.answer ?? answer };
  }
  const newest = answered.reduce((a, b) => (b.revision > a.revision ? b : a));
  audit(submission.id, { answer, revision: question.revision });
  if (by !== 'business')
    await tx`
      update desk_task set done_at = ${now}, done_by = ${by}, note = ${`The business said ${answer}.`}
      where kind = 'confirm_business' and submission_id = ${submission.id} and done_at is null`;
  if (answer === 'yes') await publishApproved(deps, tx, submission, newest.target_place);
  else await tx`update submission set live_blocked_by = null where id = ${submission.id}`;
  const placeId = submission.place_id ?? newest.target_place;
  if (answer === 'no' && placeId !== null) {
    const { agent_id: agentId, id: submissionId } = submission;
    await denyOperator(tx, { deps, now }, { placeId, agentId, submissionId });
  }
  // If a newer revision is pending, the agent is notified when that revision is decided.
  else if (submission.revision === newest.revision) await queueDecisionCallback(deps, tx, submission.id);
  return { outcome: 'answered' };
}

/** Publishes the newest approved revision: the yes is about the operator, not about one revision. */
async function publishApproved(
  deps: OperationDeps,
  tx: Db,
  submission: BusinessSubmission,
  target: string | null,
): Promise<void> {
  const [approved] = await tx<{ revision: number; content: BusinessContent }[]>`
    select r.revision, r.content from submission_decision d
    join submission_revision r on r.submission_id = d.submission_id and r.revision = d.revision
    where d.submission_id = ${submission.id} and d.decision = 'approved' order by d.revision desc limit 1`;
  // The submission was taken down meanwhile, because it is not a real place.
  if (submission.takedown !== null) return;
  if (approved === undefined)
    throw new Error('A business was asked to confirm a submission that is not approved.');
  await publishBusiness(deps, tx, { ...submission, ...approved }, submission.place_id ?? target);
}
