import { forgetSignInsOf } from '../accounts/sign-in/sign-in-code.ts';
import { eraseGuests, lockErasing } from '../bookings/maintenance/erase-guests.ts';
import type { Db } from '../core/postgres/db.ts';
import { forgetPhotographer } from './forget-photographer.ts';
import type { Member } from './member.ts';

/** Erases what could identify a member. Tables, ratings and licences that others hold stay, without a name. */
export async function forgetMember(
  tx: Db,
  { id, email }: Member,
  { now, serviceName }: { now: Date; serviceName: string },
): Promise<void> {
  await tx`select from member where id = ${id} for update`;
  await lockErasing(tx);
  const bookings = await tx<{ id: string }[]>`
    select id from booking where member_id = ${id} order by id for update`;
  await eraseGuests(
    tx,
    bookings.map((booking) => booking.id),
    now,
  );
  await tx`delete from member_session where member_id = ${id}`;
  await tx`delete from member_link_code where member_id = ${id}`;
  await tx`delete from member_link where member_id = ${id}`;
  await tx`update place_rating set member_id = null where member_id = ${id}`;
  await forgetSignInsOf(tx, 'member', email);
  await tx`
    update member set email = null, display_name = null, forgotten_at = ${now} where id = ${id}`;
  await forgetPhotographer(tx, { memberId: id, email, serviceName });
}
