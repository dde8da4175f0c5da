import { waitForLocks, type Db } from '../core/postgres/db.ts';
import { addJob } from '../jobs/add-job.ts';
import type { Job } from '../jobs/task.ts';
import type { AfterMessage } from './message.ts';
import { TEXT_CHANNEL } from './message-channels.ts';

interface Ending {
  state: 'sent' | 'unsure' | 'failed';
  words?: string;
}

export interface Finished {
  id: string;
  on_finish: AfterMessage | null;
}

/** Records the outcome of an attempt. Deletes the text, because it may contain a code or a link. */
export async function endMessage(
  { deps: { clock }, inTransaction }: Job,
  id: string,
  { state, words }: Ending,
): Promise<void> {
  await inTransaction(async (sql) => {
    await waitForLocks(sql);
    const [ended] = await sql<Finished[]>`
      update message set state = ${state}, body = null, leased_until = null, finished_at = ${clock.now()},
        last_error = coalesce(${words ?? null}, last_error)
      where id = ${id} and state = 'sending' returning id, on_finish`;
    await queueOnFinish(sql, ended);
  });
}

/** The carrier could not deliver an accepted text. False if already recorded, or if there is no such text. */
export async function noteTextLost(tx: Db, id: string, now: Date): Promise<boolean> {
  const [lost] = await tx<Finished[]>`
    update message set state = 'failed', body = null, leased_until = null, finished_at = ${now},
      last_error = 'The carrier could not deliver it.'
    where id = ${id} and channel = ${TEXT_CHANNEL} and state in ('sending', 'sent', 'unsure') returning id, on_finish`;
  await queueOnFinish(tx, lost);
  return lost !== undefined;
}

/** Queues the task that waits for the message's end, in the transaction that records the end. */
export async function queueOnFinish(sql: Db, finished: Finished | undefined): Promise<void> {
  if (finished !== undefined && finished.on_finish !== null)
    await addJob(sql, finished.on_finish, { message_id: finished.id });
}
