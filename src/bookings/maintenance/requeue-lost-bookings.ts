import type { Db } from '../../core/postgres/db.ts';
import { wakeOpenChoices } from '../choices/advance-choice.ts';
import { wakeBookings } from '../move-booking.ts';

/** Requeues lost jobs: every open booking and future table in a venue's system needs one. */
export async function requeueLostBookings(db: Db, now: Date): Promise<void> {
  const forgotten = await db<{ id: string }[]>`
    select b.id from booking b
    where (b.status in ('sent','asking','offered')
           or (b.status = 'confirmed' and b.confirmed_by = 'venue_system' and b.table_at > ${now}))
      and not exists (select from graphile_worker.jobs j
                      where j.key = 'booking/' || b.id and j.attempts < j.max_attempts)`;
  await wakeOpenChoices(db, now);
  if (forgotten.length === 0) return;
  await wakeBookings(
    db,
    forgotten.map(({ id }) => id),
  );
}
