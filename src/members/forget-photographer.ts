import type { Db } from '../core/postgres/db.ts';
import { photoAttribution, UNNAMED_PHOTOGRAPHER } from '../licensing/offered-photo.ts';

/** Erases the captions, mails and name of a photographer. Licences stay valid. */
export async function forgetPhotographer(
  tx: Db,
  { memberId, email, serviceName }: { memberId: string; email: string; serviceName: string },
): Promise<void> {
  await tx`update photo set caption = '' where member_id = ${memberId} and caption <> ''`;
  await tx`
    delete from message where recipient = ${email}
      and subject_id in (select id from photo where member_id = ${memberId})`;
  const line = photoAttribution({ photographer: UNNAMED_PHOTOGRAPHER }, serviceName);
  const licences = await tx<{ id: string }[]>`
    update photo_licence set attribution_line = ${line}
    where photo_id in (select id from photo where member_id = ${memberId}) and attribution_line <> ${line} returning id`;
  const ids = licences.map(({ id }) => id);
  await tx`delete from idempotency_key where subject = any(${ids}::text[])`;
}
