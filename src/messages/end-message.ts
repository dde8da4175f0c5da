import { waitForLocks, type Db } from '../core/postgres/db.ts';
import { addJob } from '../jobs/add-job.ts';
import type { Job } from '../jobs/task.ts';
import type { AfterMessage } from './message.ts';

interface Ending {
  state: 'sent' | 'unsure' | 'failed';
  /** Why, for staff. */
  words?: string;
}

/** A message for which nothing more will be done, and the job that waited for this. */
export interface Finished {
  id: string;
  on_finish: AfterMessage | null;
}

/** Notes how an attempt ended. The text goes, because it may hold a code or a link. */
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
    await tellFinished(sql, ended);
  });
}

/** The carrier said later that a text which it had taken over did not arrive. False when that was known, or no such text. */
export async function noteTextLost(tx: Db, id: string, now: Date): Promise<boolean> {
  const [lost] = await tx<Finished[]>`
    update message set state = 'failed', body = null, leased_until = null, finished_at = ${now},
      last_error = 'The carrier could not deliver it.'
    where id = ${id} and channel = 'sms' and state in ('sending', 'sent', 'unsure') returning id, on_finish`;
  await tellFinished(tx, lost);
  return lost !== undefined;
}

/** Queues the job that waits for the end of a message, in the transaction that notes the end. */
export async function tellFinished(sql: Db, finished: Finished | undefined): Promise<void> {
  if (finished !== undefined && finished.on_finish !== null)
    await addJob(sql, finished.on_finish, { message_id: finished.id });
}
