import type { InTransaction } from '../../core/postgres/db.ts';
import { DAY_MS } from '../../core/time.ts';
import { eraseGuests, lockErasing } from './erase-guests.ts';

const KEEP_DAYS = 30;
const AT_ONCE = 1_000;

/** Erases guests' names and notes KEEP_DAYS after the date of the table, also from messages about the booking. */
export async function eraseGuestNames(inTransaction: InTransaction, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS);
  for (;;) {
    const erased = await inTransaction(async (tx) => {
      await lockErasing(tx);
      const due = await tx<{ id: string }[]>`
        select id from booking where erased_at is null and table_at < ${before}
        order by table_at limit ${AT_ONCE} for update skip locked`;
      const ids = due.map(({ id }) => id);
      await eraseGuests(tx, ids, now);
      return ids.length;
    });
    if (erased < AT_ONCE) return;
  }
}
