import type { Pool } from '../../core/postgres/db.ts';

const KEEP_DAYS = 30;
const AT_ONCE = 1_000;

/** A while after its date a booking no longer tells for whom it was; nor do messages that nobody has sent. */
export async function eraseGuestNames(pool: Pool, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEEP_DAYS * 86_400_000);
  for (;;) {
    const erased = await pool.begin(async (tx) => {
      const bookings = await tx<{ id: string }[]>`
        update booking set guest_name = 'guest', notes = null, reason = case when status = 'cancelled'
            and exists (select from booking_entry e where e.booking_id = booking.id
              and e.event = 'cancelled' and e.actor = 'partner') then null else reason end,
          erased_at = ${now}
        where id in (select id from booking where erased_at is null and table_at < ${before}
                     order by table_at limit ${AT_ONCE} for update skip locked)
        returning id`;
      await tx`
        update message set body = 'Erased with the booking that it was about.'
        where subject_id = any(${bookings.map(({ id }) => id)}::text[]) and stops_when_halted and body is not null`;
      return bookings.length;
    });
    if (erased < AT_ONCE) return;
  }
}
