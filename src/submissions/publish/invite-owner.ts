import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { inviteToClaim } from '../../venue/claim-invitation.ts';
import type { Contact } from '../../venue/contact.ts';
import type { BusinessSubmission } from '../submission.ts';

/** Invites the venue at a contact published before the submission, or leaves it to the desk to find one. */
export async function inviteOwner(
  deps: OperationDeps,
  tx: Db,
  submission: BusinessSubmission,
  placeId: string,
  contacts: readonly Contact[],
): Promise<void> {
  const now = deps.clock.now();
  const [claimed] = await tx`select 1 from venue_claim where place_id = ${placeId}`;
  if (claimed !== undefined) return;
  const [contact] = contacts;
  if (contact !== undefined) {
    const { agent_name, operator_name } = submission;
    if (await inviteToClaim(deps, tx, { placeId, contact, invitedBy: { agent_name, operator_name } })) return;
  }
  await tx`
    insert into desk_task (kind, submission_id, revision, created_at)
    values ('verify_owner', ${submission.id}, ${submission.revision}, ${now})
    on conflict on constraint desk_task_once do nothing`;
}
