import type { Db } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';

/** Retention of messages in the outbox. Their codes and links have expired by then. */
export const OUTBOX_KEPT_DAYS = 30;
/** Retention of the record that a message was sent or failed; its text is deleted at once. */
export const SENT_KEPT_DAYS = 90;

/** Deletes old messages in a final state. Venues can still answer, because the booking has its own record. */
export async function forgetOldMessages(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db`
    delete from message
    where (state = 'outbox' and created_at < ${before(OUTBOX_KEPT_DAYS)})
       or (state in ('sent', 'unsure', 'failed') and created_at < ${before(SENT_KEPT_DAYS)})`;
}
