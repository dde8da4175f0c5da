import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../../src/core/postgres/db.ts';
import type { World } from './world.ts';

/** Longer than a lease, the time after which a silent node counts as dead, and the rescue of an upload together. */
const SETTLE_MS = 6 * 60_000;
const LOOK_AGAIN_MS = 1_000;
/** No attempt of a node that lives is as old as this. */
const ATTEMPT_SECONDS = 120;

/** Pending work, counted by name. All counts must be zero once everything is idle. */
export type Unfinished = Record<string, number>;

/** Everybody behaves from now on; waits until nothing is left to do, and gives what is left all the same. */
export async function becomeQuiet({ pool, venue, receiver }: World): Promise<Unfinished> {
  venue.behave();
  receiver.answer = (response) => response.end();
  const giveUpAt = performance.now() + SETTLE_MS;
  for (;;) {
    const left = await unfinished(pool);
    if (Object.keys(left).length === 0 || performance.now() > giveUpAt) return left;
    await passWaits(pool);
    await pause(LOOK_AGAIN_MS);
  }
}

async function unfinished(pool: Pool): Promise<Unfinished> {
  const [left] = await pool<Unfinished[]>`
    select
      (select count(*)::int from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts) as "jobs due",
      (select count(*)::int from graphile_worker._private_jobs
         where locked_at < now() - interval '1 minute' and attempts < max_attempts) as "jobs locked",
      (select count(*)::int from venue_ask where state in ('queued', 'sending', 'posted')) as "steps of bookings",
      (select count(*)::int from webhook_delivery where state = 'pending') as "webhooks",
      (select count(*)::int from callback_delivery where state = 'pending') as "callbacks",
      (select count(*)::int from message where state in ('queued', 'sending')) as "messages",
      (select count(*)::int from photo where state = 'processing') as "uploads",
      (select count(*)::int from booking b where b.status in ('sent', 'asking', 'offered') and not exists (
         select from graphile_worker.jobs j where j.key = 'booking/' || b.id and j.attempts < j.max_attempts))
        as "bookings without a job",
      (select count(*)::int from pg_stat_activity where datname = current_database()
         and state like 'idle in transaction%' and xact_start < now() - interval '1 minute') as "open transactions"`;
  return Object.fromEntries(Object.entries(left ?? {}).filter(([, count]) => count > 0));
}

/** Hours of waiting between attempts pass at once. What a dead process left behind is as old as it must be for that. */
async function passWaits(pool: Pool): Promise<void> {
  await pool`
    update message set leased_until = now() - interval '1 second'
    where state = 'sending' and leased_until < now() + 180 * interval '1 second' - ${ATTEMPT_SECONDS} * interval '1 second'`;
  await pool`
    update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
    where t.id = j.task_id and j.run_at > now() and j.locked_at is null
      and (j.attempts > 0 or t.identifier in
        ('deliver_message', 'deliver_venue_mail', 'deliver_venue_text', 'deliver_webhook', 'deliver_callback'))`;
}
