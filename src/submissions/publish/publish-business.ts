import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { refuseRemoved, type RemovalColumns } from '../../directory/removal.ts';
import { venueContacts } from '../../venue/contact.ts';
import { findRepresentationAnswer } from '../../venue/representative.ts';
import { inviteOwner } from './invite-owner.ts';
import type { BusinessSubmission } from '../submission.ts';
import { writePlace } from './write-place.ts';

/** Publishes an approved revision of a business. The database refuses any other. */
export async function publishBusiness(
  deps: OperationDeps,
  tx: Db,
  submission: BusinessSubmission,
  target: string | null,
): Promise<void> {
  // The lock makes a concurrent answer of the venue about the operator wait until these claims are written.
  const [place] = await tx<RemovalColumns[]>`
    select removed_at, removal_reason from place where id = ${target} for update`;
  // A lead has to restore a removed listing first.
  if (place !== undefined) refuseRemoved(place);
  // Read before the place is changed: a contact that the submission brings must not verify the submitter.
  const contacts = target === null ? [] : (await venueContacts(tx, target)).messageContacts;
  const byOwner = target !== null && (await actsForVenue(tx, submission, target));
  const { id: submissionId, agent_id: agentId, content } = submission;
  const reviewedBy = await reviewerOf(tx, submission);
  const confirmed = content.relationship === 'authorized_agent' && (await wasConfirmed(tx, submissionId));
  const approved = { submissionId, agentId, content, byOwner, confirmed, reviewedBy };
  const written = await writePlace(deps, tx, approved, target);
  await tx`
    update submission set live_revision = ${submission.revision}, place_id = ${written}, live_blocked_by = null
    where id = ${submissionId}`;
  if (content.relationship === 'owner') await inviteOwner(deps, tx, submission, written, contacts);
}

async function reviewerOf(tx: Db, { id, revision }: BusinessSubmission): Promise<string> {
  const [decision] = await tx<{ by: string }[]>`
    select decided_by as by from submission_decision
    where submission_id = ${id} and revision = ${revision} and decision = 'approved'`;
  if (decision === undefined) throw new Error('A business cannot be published without approval.');
  return decision.by;
}

/** True when the venue confirmed the relationship that the operator declared. */
export async function actsForVenue(
  tx: Db,
  { agent_id, content }: BusinessSubmission,
  placeId: string,
): Promise<boolean> {
  return (
    content.relationship !== 'third_party' &&
    (await findRepresentationAnswer(tx, placeId, agent_id)) === 'yes'
  );
}

/** True when the business confirmed the operator. It is not asked again for later changes. */
export async function wasConfirmed(db: Db, submissionId: string): Promise<boolean> {
  const rows = await db`
    select 1 from business_confirmation where submission_id = ${submissionId} and answer = 'yes' limit 1`;
  return rows.length > 0;
}
