import { forgetSignInsOf } from '../accounts/sign-in/sign-in-code.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Member } from './member.ts';

/** What stands in the place of a name that was erased. */
const NOBODY = 'guest';

/**
 * Erases who a member is: the name, the mailbox and everything by which they could be found again. What others hold
 * stays, without a name: tables at venues, stars of places. The number alone tells nothing.
 */
export async function forgetMember(tx: Db, member: Member, now: Date): Promise<void> {
  const { id, email } = member;
  await tx`select from member where id = ${id} for update`;
  await eraseFromBookings(tx, member, now);
  await tx`delete from member_session where member_id = ${id}`;
  await tx`delete from member_link_code where member_id = ${id}`;
  await tx`delete from member_link where member_id = ${id}`;
  await tx`update place_rating set member_id = null where member_id = ${id}`;
  await forgetSignInsOf(tx, 'member', email);
  await tx`
    update member set email = null, display_name = null, forgotten_at = ${now} where id = ${id}`;
}

/** Besides the booking itself, a partner may have named its member in a reason, and messages may not have gone yet. */
async function eraseFromBookings(tx: Db, { id, displayName }: Member, now: Date): Promise<void> {
  const bookings = await tx<{ id: string; guest_name: string }[]>`
    select id, guest_name from booking where member_id = ${id} for update`;
  const ids = bookings.map((booking) => booking.id);
  const names = new Set([displayName, ...bookings.map(({ guest_name }) => guest_name)]);
  names.delete(NOBODY);
  for (const name of names) {
    await tx`
      update message set body = replace(body, ${name}, ${NOBODY}), subject = replace(subject, ${name}, ${NOBODY})
      where subject_id = any(${ids})`;
    await tx`
      update webhook_delivery set data = replace(data::text, ${JSON.stringify(name).slice(1, -1)}, ${NOBODY})::json
      where booking_id = any(${ids}) and data is not null`;
    await tx`update booking set reason = replace(reason, ${name}, ${NOBODY}) where id = any(${ids})`;
  }
  await tx`
    update booking set guest_name = ${NOBODY}, notes = null, erased_at = ${now}
    where id = any(${ids}) and erased_at is null`;
}
