import type { Db } from '../core/postgres/db.ts';
import { MESSAGE_CHANNEL_NAMES, MESSAGE_CHANNELS } from './message-channels.ts';

declare module '../jobs/task.ts' {
  interface Payloads {
    deliver_message: { message_id: string };
    deliver_venue_mail: { message_id: string };
    deliver_venue_text: { message_id: string };
  }
}

/** Queues messages as separate tasks, so that those to venues do not wait behind others. */
export async function queueMessages(db: Db, ids: readonly string[], delayMs = 0): Promise<void> {
  const bookingTasks = MESSAGE_CHANNEL_NAMES.map((name) => [name, MESSAGE_CHANNELS[name].bookingTask]);
  await db`
    select from message m, graphile_worker.add_job(
      identifier => case when m.stops_when_halted then ${db.json(Object.fromEntries(bookingTasks))}::jsonb ->> m.channel
                         else 'deliver_message' end,
      payload => json_build_object('message_id', m.id),
      run_at => now() + ${delayMs} * interval '1 millisecond')
    where m.id = any(${[...ids]}::text[])`;
}

/** Queues messages that were not sent yet and have no job, see requeueLost of deliveries. */
export async function requeueLostMessages(db: Db): Promise<void> {
  const lost = await db<{ id: string }[]>`
    select id from message where state in ('queued','sending') and id not in (
      select payload ->> 'message_id' from graphile_worker._private_jobs
      where payload ->> 'message_id' is not null and attempts < max_attempts)
    order by sequence`;
  await queueMessages(
    db,
    lost.map(({ id }) => id),
  );
}

export async function queueHeldBack(db: Db): Promise<void> {
  const rows = await db<{ id: string }[]>`
    select id from message where stops_when_halted and state = 'queued' order by sequence`;
  await queueMessages(
    db,
    rows.map(({ id }) => id),
  );
}
