import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { refuseRemoved, type RemovalColumns } from '../../directory/removal/removal.ts';
import { venueContacts } from '../../venue/contact.ts';
import { answerAbout } from '../../venue/representative.ts';
import { inviteOwner } from './invite-owner.ts';
import type { BusinessSubmission } from '../submission.ts';
import { writePlace } from './write-place.ts';

/** Makes an approved revision of a business live: the database refuses any other. */
export async function publishBusiness(
  deps: OperationDeps,
  tx: Db,
  submission: BusinessSubmission,
  target: string | null,
): Promise<void> {
  // Whatever the venue says of the operator meanwhile waits until this word is written.
  await lockTarget(tx, target);
  // Read before the place is changed: a contact that the submission brings must not verify the submitter.
  const contacts = target === null ? [] : (await venueContacts(tx, target)).written;
  const byOwner = target !== null && (await speaksForVenue(tx, submission, target));
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

/** Nobody publishes under a listing that was removed: a lead restores it first. */
async function lockTarget(tx: Db, target: string | null): Promise<void> {
  if (target === null) return;
  const [place] = await tx<RemovalColumns[]>`
    select removed_at, removal_reason from place where id = ${target} for update`;
  if (place !== undefined) refuseRemoved(place);
}

async function reviewerOf(tx: Db, { id, revision }: BusinessSubmission): Promise<string> {
  const [decision] = await tx<{ by: string }[]>`
    select decided_by as by from submission_decision
    where submission_id = ${id} and revision = ${revision} and decision = 'approved'`;
  if (decision === undefined) throw new Error('A business is published that nobody approved.');
  return decision.by;
}

/** The relationship is the operator's word; whether it counts is the venue's. */
export async function speaksForVenue(
  tx: Db,
  { agent_id, content }: BusinessSubmission,
  placeId: string,
): Promise<boolean> {
  return content.relationship !== 'third_party' && (await answerAbout(tx, placeId, agent_id)) === 'yes';
}

/** A business that has said yes once is not asked again for every later change. */
export async function wasConfirmed(db: Db, submissionId: string): Promise<boolean> {
  const rows = await db`
    select 1 from business_confirmation where submission_id = ${submissionId} and answer = 'yes' limit 1`;
  return rows.length > 0;
}
