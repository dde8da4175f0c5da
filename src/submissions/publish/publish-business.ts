import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
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
  if (target !== null) await tx`select 1 from place where id = ${target} for update`;
  // Read before the place is changed: a contact that the submission brings must not verify the submitter.
  const contacts = target === null ? [] : (await venueContacts(tx, target)).written;
  const byOwner = target !== null && (await speaksForVenue(tx, submission, target));
  const { id: submissionId, agent_id: agentId, content } = submission;
  const reviewedBy = await reviewerOf(tx, submission);
  const approved = { submissionId, agentId, content, byOwner, reviewedBy };
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
