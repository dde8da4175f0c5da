import type { Db } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';

/** How long a message that nobody can send lies in the outbox. What it says has long run out by then. */
export const OUTBOX_KEPT_DAYS = 30;
/** How long staff see that a message went out, or that it could not; its text is gone at once. */
export const SENT_KEPT_DAYS = 90;

/** Deletes messages of which nothing more is to come. One that a venue may still answer has its own record by then. */
export async function forgetOldMessages(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db`
    delete from message
    where (state = 'outbox' and created_at < ${before(OUTBOX_KEPT_DAYS)})
       or (state in ('sent', 'unsure', 'failed') and created_at < ${before(SENT_KEPT_DAYS)})`;
}
