import type { Deps } from '../core/context.ts';
import type { Db } from '../core/db.ts';
import { venueContacts } from '../venue/contact.ts';
import { inviteOwner } from './invite-owner.ts';
import type { BusinessSubmission } from './submission.ts';
import { writePlace } from './write-place.ts';

/** Makes an approved revision of a business live: the database refuses any other. */
export async function publishBusiness(
  deps: Deps,
  tx: Db,
  submission: BusinessSubmission,
  target: string | null,
): Promise<void> {
  // Read before the place is changed: a contact that the submission brings must not verify the submitter.
  const contacts = target === null ? [] : (await venueContacts(tx, target)).written;
  const byOwner = target !== null && (await speaksForOwner(tx, submission, target));
  const { id: submissionId, content } = submission;
  const written = await writePlace(deps, tx, { submissionId, content, placeId: target, byOwner });
  await tx`
    update submission set live_revision = ${submission.revision}, place_id = ${written}, live_blocked_by = null
    where id = ${submissionId}`;
  if (content.relationship === 'owner') await inviteOwner(deps, tx, submission, written, contacts);
}

/** The venue entered its code after this submission had named its owner's agent: from then on it speaks for the venue. */
async function speaksForOwner(
  tx: Db,
  { id, content }: BusinessSubmission,
  placeId: string,
): Promise<boolean> {
  if (content.relationship !== 'owner') return false;
  const rows = await tx`
    select 1 from venue_claim c
    join submission s on s.id = ${id} and s.place_id = c.place_id
    join submission_decision d on d.submission_id = s.id and d.decision = 'approved' and d.decided_at <= c.claimed_at
    join submission_revision r on r.submission_id = d.submission_id and r.revision = d.revision
    where c.place_id = ${placeId} and r.content->>'relationship' = 'owner'`;
  return rows.length > 0;
}
