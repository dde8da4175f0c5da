import { z } from 'zod';
import type { Deps } from '../core/context.ts';
import { nextWaitMs } from '../jobs/retry-plan.ts';
import { defineTask, type Job } from '../jobs/task.ts';
import { attempt, DELIVERY_PLAN, LEASE_MS, type AttemptFailure, type AttemptResult } from './attempt.ts';
import { dropAttempt, queueAttempt } from './callback-job.ts';
import { retryWhileLocked } from './locked-receivers.ts';
import { signatureHeaders } from './signature.ts';
import { currentSigner } from './signing-key.ts';

interface LeasedCallback {
  url: string;
  event: string;
  data: unknown;
  attempts: number;
  created_at: Date;
}

/** Failures without a retry: addresses that our egress rules block, and receivers that redirect or answer 410. */
const FINAL: readonly (AttemptFailure | null)[] = ['redirect', 'gone', 'blocked_address'];

/** Maximum number of concurrent callbacks from one node to one URL; further ones are retried after BUSY_MS. */
const AT_ONCE_PER_RECEIVER = 8;
const BUSY_MS = 2_000;

/**
 * Starts one callback; the request itself runs outside the job queue. The receiver may get a callback twice, with the
 * same id in the body and the headers.
 */
export const deliverCallback = defineTask({
  kind: 'telling',
  payload: z.object({ delivery_id: z.string() }),
  async run(job, { delivery_id: id }) {
    const { deps } = job;
    await deps.deliveryPool.room();
    const callback = await leaseCallback(job, id);
    if (callback === undefined) return;
    deps.deliveryPool.start(callback.url, async (signal) => {
      const result = await attempt(deps, callback.url, await signedRequest(deps, id, callback), signal);
      if (result === undefined) await releaseLease(job, id);
      else await retryWhileLocked(signal, () => recordResult(job, id, callback, result));
    });
  },
});

/** Leases the callback for one attempt; only one runs at a time. An expired lease belonged to a process that died. */
function leaseCallback(
  { deps: { clock, deliveryPool: pool }, inTransaction }: Job,
  id: string,
): Promise<LeasedCallback | undefined> {
  return inTransaction(async (sql) => {
    const [row] = await sql<{ url: string }[]>`
      select url from callback_delivery where id = ${id} and state = 'pending' for update`;
    if (row === undefined) return undefined;
    if (pool.countTo(row.url) >= AT_ONCE_PER_RECEIVER) {
      await queueAttempt(sql, id, BUSY_MS);
      return undefined;
    }
    const now = clock.now();
    const [callback] = await sql<LeasedCallback[]>`
      update callback_delivery set attempts = attempts + 1, leased_until = ${new Date(now.getTime() + LEASE_MS)}
      where id = ${id} and (leased_until is null or leased_until <= ${now})
      returning url, event, data, attempts, created_at`;
    // If the leasing process dies, this job retries after the lease.
    await queueAttempt(sql, id, LEASE_MS);
    return callback;
  });
}

/** Releases the lease when the service stops during an attempt, so that any node can make the next attempt. */
async function releaseLease({ inTransaction }: Job, id: string): Promise<void> {
  await inTransaction(async (sql) => {
    await sql`update callback_delivery set leased_until = null where id = ${id} and state = 'pending'`;
    await queueAttempt(sql, id);
  });
}

/** The body is the same at every attempt. Timestamp and signatures are new, because receivers reject old ones. */
async function signedRequest(
  { pool, clock, config, destinations }: Deps,
  id: string,
  callback: LeasedCallback,
) {
  const { prefix, baseUrl } = config;
  const body = JSON.stringify({
    id,
    type: callback.event,
    timestamp: callback.created_at.toISOString(),
    data: callback.data,
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

async function recordResult(
  job: Job,
  id: string,
  callback: LeasedCallback,
  result: AttemptResult,
): Promise<void> {
  const { clock, log } = job.deps;
  const now = clock.now();
  const { attempts, created_at: startedAt } = callback;
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
