import { forgetSignInsOf } from '../accounts/sign-in/sign-in-code.ts';
import { recordAudit } from '../core/audit.ts';
import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Member } from './member.ts';

/** What stands in the place of a name that was erased. */
const NOBODY = 'guest';

/**
 * Erases who a member is: the name, the mailbox and everything by which they could be found again. What others hold
 * stays, without a name: tables at venues, stars of places. The number alone tells nothing.
 */
export async function forgetMember(deps: Deps, member: Member, requestId: string): Promise<void> {
  const { id, email } = member;
  const now = deps.clock.now();
  await deps.pool.begin(async (sql) => {
    await sql`select from member where id = ${id} for update`;
    await eraseFromBookings(sql, member, now);
    await sql`delete from member_session where member_id = ${id}`;
    await sql`delete from member_link_code where member_id = ${id}`;
    await sql`delete from member_link where member_id = ${id}`;
    await sql`update place_rating set member_id = null where member_id = ${id}`;
    await forgetSignInsOf(sql, 'member', email);
    await sql`
      update member set email = null, display_name = null, forgotten_at = ${now} where id = ${id}`;
    await recordAudit(sql, { at: now, actor: id, operation: 'forget_member', requestId, subject: id });
  });
}

/** Besides the booking itself, a partner may have named its member in a reason, and messages may not have gone yet. */
async function eraseFromBookings(db: Db, { id, displayName }: Member, now: Date): Promise<void> {
  const bookings = await db<{ id: string; guest_name: string }[]>`
    select id, guest_name from booking where member_id = ${id} for update`;
  const ids = bookings.map((booking) => booking.id);
  const names = new Set([displayName, ...bookings.map(({ guest_name }) => guest_name)]);
  names.delete(NOBODY);
  for (const name of names) {
    await db`
      update message set body = replace(body, ${name}, ${NOBODY}), subject = replace(subject, ${name}, ${NOBODY})
      where subject_id = any(${ids})`;
    await db`
      update webhook_delivery set data = replace(data::text, ${JSON.stringify(name).slice(1, -1)}, ${NOBODY})::json
      where booking_id = any(${ids}) and data is not null`;
    await db`update booking set reason = replace(reason, ${name}, ${NOBODY}) where id = any(${ids})`;
  }
  await db`
    update booking set guest_name = ${NOBODY}, notes = null, erased_at = ${now}
    where id = any(${ids}) and erased_at is null`;
}
