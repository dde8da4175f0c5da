import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import { inviteToClaim } from './claim-invitation.ts';
import { MESSAGE_CHANNELS } from '../messages/message-channels.ts';
import type { Contact } from './contact.ts';

/** A question that staff have to research, because the venue cannot be reached in writing. */
export interface DeskTask {
  id: string;
  kind: 'verify_owner' | 'confirm_business';
  submissionId: string;
  /** Name of the business, as submitted. */
  name: string;
  city: string;
  country: string;
  phone: string | null;
  email: string | null;
  website: string | null;
  operatorName: string;
  placeId: string | null;
  createdAt: Date;
}

export function listDeskTasks(db: Db, limit: number): Promise<DeskTask[]> {
  return db<DeskTask[]>`
    select t.id::text as id, t.kind, t.submission_id as "submissionId", r.content->>'name' as name,
           r.content->>'city' as city, r.content->>'country' as country, r.content->>'phone' as phone,
           r.content->>'email' as email, r.content->>'website' as website, s.operator_name as "operatorName",
           s.place_id as "placeId", t.created_at as "createdAt"
    from desk_task t join submission s on s.id = t.submission_id
    join submission_revision r on r.submission_id = t.submission_id and r.revision = t.revision
    where t.done_at is null order by t.created_at, t.id limit ${limit}`;
}

/** Records a contact that staff found on the venue's page, and invites it. False when its limit is used up. */
export async function vouchForContact(
  tx: Db,
  { deps, now }: Pick<Ctx, 'deps' | 'now'>,
  {
    placeId,
    contact,
    staffId,
    foundAt,
  }: { placeId: string; contact: Contact; staffId: string; foundAt: string },
): Promise<boolean> {
  const { channel, to } = contact;
  if (!MESSAGE_CHANNELS[channel].isAddress(to) || foundAt.trim() === '')
    throw new AppError(
      'validation_failed',
      'Give the contact in full, and say where the venue publishes it.',
    );
  await tx`
    insert into vouched_contact (place_id, channel, contact, vouched_by) values (${placeId}, ${channel}, ${to}, ${staffId})
    on conflict (place_id, channel, contact) do update set vouched_by = excluded.vouched_by`;
  await tx`
    update desk_task set done_at = ${now}, done_by = ${staffId}, note = ${foundAt.trim().slice(0, 500)}
    where kind = 'verify_owner' and done_at is null
      and submission_id in (select id from submission where place_id = ${placeId})`;
  return inviteToClaim(deps, tx, { placeId, contact });
}
