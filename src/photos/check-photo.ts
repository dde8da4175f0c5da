import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { postMessage } from '../messages/post-message.ts';
import { findPhoto, movePhoto } from './photo.ts';
import reasons from './check-reasons.json' with { type: 'json' };

/** Reasons for refusing a photo: the label that the checker sees, and the explanation for the photographer. */
export const CHECK_REASONS = reasons;
export type CheckReason = keyof typeof CHECK_REASONS;

export function isCheckReason(text: string): text is CheckReason {
  return Object.hasOwn(CHECK_REASONS, text);
}

export interface CheckRequest {
  photoId: string;
  /** The `updated_at` that the checker saw, so that nobody approves a caption that was changed meanwhile. */
  seen: string;
  decision: 'approved' | 'rejected';
  reason?: CheckReason | undefined;
  staffId: string;
}

export type CheckOutcome = 'decided' | 'not_found' | 'already' | 'changed';

/** The only path that approves or rejects a photo: a person's decision, recorded with the decider. */
export async function checkPhoto(
  tx: Db,
  { deps, now, newId }: Pick<Ctx, 'deps' | 'now' | 'newId'>,
  { photoId, seen, decision, staffId, reason }: CheckRequest,
): Promise<CheckOutcome> {
  await tx`select from photo where id = ${photoId} for update`;
  const photo = await findPhoto(tx, photoId);
  if (photo === undefined) return 'not_found';
  if (photo.state !== 'to_check') return 'already';
  if (photo.updated_at.toISOString() !== seen) return 'changed';
  await tx`
    insert into photo_check (photo_id, decision, reason, decided_by, decided_at)
    values (${photoId}, ${decision}, ${reason ?? null}, ${staffId}, ${now})`;
  await movePhoto(tx, photoId, { to: decision, by: 'checker', now });
  const [row] = await tx<{ email: string | null; place: string | null }[]>`
    select m.email, p.name as place from photo f join member m on m.id = f.member_id
    left join place p on p.id = f.place_id where f.id = ${photoId}`;
  if (row?.email == null) return 'decided';
  const of = row.place === null ? '' : ` of ${row.place}`;
  const link = `${deps.config.baseUrl}/photos/mine/${photoId}`;
  const text =
    reason === undefined
      ? `A person has checked your photo${of} and approved it. Set its prices and go live when you like:\n${link}\n`
      : `A person has checked your photo${of}. It cannot be used: ${CHECK_REASONS[reason].told}\n${link}\n`;
  const subject = reason === undefined ? 'Your photo is approved' : 'Your photo cannot be used';
  const message = { to: row.email, subject, text, purpose: 'photo_checked', subject_id: photoId } as const;
  await postMessage(tx, { newId, now }, { channel: 'mail', ...message });
  return 'decided';
}

/** Withdraws a photo at once after a complaint. Existing licences stay valid. */
export function takeDownPhoto(tx: Db, now: Date, photoId: string): Promise<boolean> {
  return movePhoto(tx, photoId, { to: 'withdrawn', by: 'checker', now });
}
