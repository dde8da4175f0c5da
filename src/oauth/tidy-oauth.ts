import { forgetSignInCodes } from '../accounts/sign-in/sign-in-code.ts';
import { z } from 'zod';
import type { Db } from '../core/postgres/db.ts';
import { addJob } from '../jobs/add-job.ts';
import { defineTask } from '../jobs/task.ts';
import { DAY_MS, HOUR_MS } from '../core/time.ts';

declare module '../jobs/task.ts' {
  interface Payloads {
    tidy_oauth: object;
  }
}

const TIDY_EVERY_MS = HOUR_MS;
const JOB = 'tidy_oauth';
/** Time after which a registered client without connections or uses is deleted. */
const CLIENT_IDLE_MS = 90 * DAY_MS;

/** Queues the cleanup job unless it is queued; it requeues itself from then on. */
export async function ensureCleanupQueued(db: Db): Promise<void> {
  // A job that has failed too often stays in the queue but is never run again.
  const [queued] = await db`
    select from graphile_worker.jobs where key = ${JOB} and attempts < max_attempts`;
  if (queued === undefined) await addJob(db, JOB, {}, { key: JOB, delayMs: TIDY_EVERY_MS });
}

export const cleanUpOauth = defineTask({
  kind: 'upkeep',
  payload: z.object({}),
  run: ({ deps, inTransaction }) =>
    inTransaction(async (tx) => {
      await forgetOld(tx, deps.clock.now());
      await addJob(tx, JOB, {}, { key: JOB, delayMs: TIDY_EVERY_MS });
    }),
});

async function forgetOld(db: Db, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  await db`delete from oauth_interaction where expires_at <= ${now}`;
  await forgetSignInCodes(db, now);
  // For a day, a request with an old token gets the error that it has expired, not that it is unknown.
  await db`delete from oauth_token where expires_at <= ${dayAgo}`;
  // A connection is kept as long as it has a usable token.
  await db`
    delete from oauth_grant g
    where created_at <= ${dayAgo} and not exists (
      select from oauth_token t where t.grant_id = g.id and t.consumed_at is null and t.expires_at > ${now})`;
  // A host may register long before anybody connects, and keeps its client after the last person has disconnected.
  await db`
    delete from oauth_client c
    where last_used_at <= ${new Date(now.getTime() - CLIENT_IDLE_MS)} and not exists (select from oauth_grant g where g.client_id = c.id)`;
}
