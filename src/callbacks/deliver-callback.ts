import { z } from 'zod';
import type { Deps } from '../core/context.ts';
import { nextWaitMs } from '../jobs/retry-plan.ts';
import { defineTask, type Job } from '../jobs/task.ts';
import { attempt, DELIVERY_PLAN, LEASE_MS, type AttemptFailure, type AttemptResult } from './attempt.ts';
import { dropAttempt, queueAttempt } from './callback-job.ts';
import { untilNoted } from './locked-receivers.ts';
import { signatureHeaders } from './signature.ts';
import { currentSigner } from './signing-key.ts';

interface Taken {
  url: string;
  event: string;
  data: unknown;
  attempts: number;
  created_at: Date;
}

/** What is not tried again: what our own rules refuse, and a receiver that will not take it where it was sent. */
const FINAL: readonly (AttemptFailure | null)[] = ['redirect', 'gone', 'blocked_address'];

/** How many callbacks a node sends to one address at once; the others look again after a while. */
const AT_ONCE_PER_RECEIVER = 8;
const BUSY_MS = 2_000;

/**
 * Begins one callback; the sending itself goes on beside the job queue. The receiver may get it twice; the id in it and in
 * its headers is the same each time.
 */
export const deliverCallback = defineTask({
  kind: 'telling',
  payload: z.object({ delivery_id: z.string() }),
  async run(job, { delivery_id: id }) {
    const { deps } = job;
    await deps.outgoing.room();
    const taken = await take(job, id);
    if (taken === undefined) return;
    deps.outgoing.start(taken.url, async (signal) => {
      const result = await attempt(deps, taken.url, await signedRequest(deps, id, taken), signal);
      if (result === undefined) await giveBack(job, id);
      else await untilNoted(signal, () => note(job, id, taken, result));
    });
  },
});

/** Only one attempt is under way at a time. One whose lease has run out was that of a process that died. */
function take({ deps: { clock, outgoing }, inTransaction }: Job, id: string): Promise<Taken | undefined> {
  return inTransaction(async (sql) => {
    const [row] = await sql<{ url: string }[]>`
      select url from callback_delivery where id = ${id} and state = 'pending' for update`;
    if (row === undefined) return undefined;
    if (outgoing.countTo(row.url) >= AT_ONCE_PER_RECEIVER) {
      await queueAttempt(sql, id, BUSY_MS);
      return undefined;
    }
    const now = clock.now();
    const [taken] = await sql<Taken[]>`
      update callback_delivery set attempts = attempts + 1, leased_until = ${new Date(now.getTime() + LEASE_MS)}
      where id = ${id} and (leased_until is null or leased_until <= ${now})
      returning url, event, data, attempts, created_at`;
    // Should this process die, or the one that has it now, another one looks again.
    await queueAttempt(sql, id, LEASE_MS);
    return taken;
  });
}

/** The service ends in the middle of an attempt: another node, or this one after its start, makes the next. */
async function giveBack({ inTransaction }: Job, id: string): Promise<void> {
  await inTransaction(async (sql) => {
    await sql`update callback_delivery set leased_until = null where id = ${id} and state = 'pending'`;
    await queueAttempt(sql, id);
  });
}

/** The body is the same at every attempt; its time stamp and signatures are new, because receivers refuse old ones. */
async function signedRequest({ pool, clock, config, destinations }: Deps, id: string, taken: Taken) {
  const { prefix, baseUrl } = config;
  const body = JSON.stringify({
    id,
    type: taken.event,
    timestamp: taken.created_at.toISOString(),
    data: taken.data,
    ...destinations.current.attribution,
  });
  const now = clock.now();
  const sign = await currentSigner(pool, now);
  const headers = {
    'user-agent': `${prefix}-callbacks/1.0 (+${baseUrl})`,
    ...signatureHeaders({ prefix, id, now, body, secrets: [], sign }),
  };
  return { headers, body };
}

async function note(job: Job, id: string, taken: Taken, result: AttemptResult): Promise<void> {
  const { clock, log } = job.deps;
  const now = clock.now();
  const { attempts, created_at: startedAt } = taken;
  const { failure, httpStatus, words, retryAfterMs: atLeastMs } = result;
  const waitMs =
    failure === null || FINAL.includes(failure)
      ? undefined
      : nextWaitMs(DELIVERY_PLAN, { id, attempts, startedAt, now, atLeastMs });
  const state = failure === null ? 'delivered' : waitMs === undefined ? 'given_up' : 'pending';
  log.info({ delivery: id, attempts, state, status: httpStatus, error: words }, 'callback attempted');
  await job.inTransaction(async (sql) => {
    await sql`
      update callback_delivery set state = ${state}, leased_until = null, last_http_status = ${httpStatus},
        last_error = ${words}, finished_at = ${state === 'pending' ? null : now}
      where id = ${id} and state = 'pending'`;
    if (waitMs === undefined) await dropAttempt(sql, id);
    else await queueAttempt(sql, id, waitMs);
  });
}
