import type { Db } from '../../core/postgres/db.ts';
import { DAY_MS } from '../../core/time.ts';

const KEEP_DAYS = 30;
const AT_ONCE = 1_000;

/** A while after its date a booking no longer tells for whom it was; nor do messages that nobody has sent. */
export async function eraseGuestNames(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  for (;;) {
    const [{ erased } = { erased: 0 }] = await db<{ erased: number }[]>`
      with booking_erased as (
        update booking set guest_name = 'guest', notes = null, reason = case when status = 'cancelled'
            and exists (select from booking_entry e where e.booking_id = booking.id
              and e.event = 'cancelled' and e.actor = 'partner') then null else reason end,
          erased_at = ${now}
        where id in (select id from booking where erased_at is null and table_at < ${before}
                     order by table_at limit ${AT_ONCE} for update skip locked)
        returning id),
      message_erased as (
        update message set body = 'Erased with the booking that it was about.'
        where subject_id in (select id from booking_erased) and stops_when_halted and body is not null)
      select count(*)::int as erased from booking_erased`;
    if (erased < AT_ONCE) return;
  }
}
