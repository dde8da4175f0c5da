import { z } from 'zod';
import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';
import { addJob } from '../jobs/add-job.ts';
import { nextWaitMs } from '../jobs/retry-plan.ts';
import { defineTask, type Job, type Task } from '../jobs/task.ts';
import { attempt, DELIVERY_PLAN, type AttemptFailure, type AttemptResult } from './attempt.ts';
import type { DeliveryState } from './delivery-state.ts';
import { retryWhileLocked } from './locked-receivers.ts';
import { signatureHeaders } from './signature.ts';
import { currentSigners } from './signing-key.ts';

/** Retention of what was sent. */
export const DATA_KEPT_DAYS = 30;
/** Retention of the record that it was sent: a year, and a month in which that year may be questioned. */
export const RECORD_KEPT_DAYS = 395;
const DELETED_AT_ONCE = 5_000;

declare module '../jobs/task.ts' {
  interface Payloads {
    deliver_callback: { delivery_id: string };
    deliver_webhook: { delivery_id: string };
  }
}

export interface LeasedDelivery {
  id: string;
  url: string;
  attempts: number;
  createdAt: Date;
}

/** Outcome of an attempt, and the wait before the next one; undefined when there is none. */
export interface PlannedResult extends AttemptResult {
  now: Date;
  state: DeliveryState;
  waitMs: number | undefined;
}

/** One kind of signed POST to a receiver's URL. The rest (lease, signature, retries, retention) is the same for all. */
interface DeliveryKind<Leased extends LeasedDelivery> {
  name: 'callback' | 'webhook';
  final: readonly AttemptFailure[];
  /** Set where a delivery may wait for another one without a job (column `held`). */
  mayHold?: true;
  /** Leases the delivery for one attempt, and queues the retry in case this process dies. Undefined if it must wait. */
  lease(job: Job, id: string): Promise<Leased | undefined>;
  /** Members of the body besides `id`, `timestamp` and the attribution. */
  content(leased: Leased): { type: string } & Record<string, unknown>;
  /** The receiver's shared secrets; none where only the public-key signature is sent. */
  secrets?(deps: Deps, leased: Leased, now: Date): readonly Buffer[];
  record(job: Job, leased: Leased, result: PlannedResult): Promise<void>;
  /** Releases the lease when the service stops during the attempt, so that any node can repeat it. */
  release(job: Job, leased: Leased): Promise<void>;
}

export interface Delivery {
  task: Task;
  /** Queues an attempt. Each delivery has at most one waiting job; queueing again replaces it. */
  queue(db: Db, id: string, delayMs?: number): Promise<void>;
  unqueue(db: Db, id: string): Promise<void>;
  /** Queues pending deliveries that have no job. */
  requeueLost(db: Db): Promise<void>;
  forgetOld(db: Db, now: Date): Promise<void>;
}

/** Defines a kind of delivery. The job only starts it; the request runs outside the queue, possibly twice. */
export function defineDelivery<Leased extends LeasedDelivery>(kind: DeliveryKind<Leased>): Delivery {
  const keyOf = (id: string) => `${kind.name}/${id}`;
  const queue: Delivery['queue'] = (db, id, delayMs = 0) =>
    addJob(db, `deliver_${kind.name}`, { delivery_id: id }, { key: keyOf(id), delayMs });
  return {
    task: defineTask({
      kind: 'telling',
      payload: z.object({ delivery_id: z.string() }),
      async run(job, { delivery_id: id }) {
        const { deps } = job;
        await deps.deliveryPool.room();
        const leased = await kind.lease(job, id);
        if (leased === undefined) return;
        deps.deliveryPool.start(leased.url, async (signal) => {
          const result = await attempt(deps, leased.url, await signedRequest(deps, kind, leased), signal);
          if (result === undefined) {
            await kind.release(job, leased);
            return;
          }
          const planned = plan(deps, kind, leased, result);
          await retryWhileLocked(signal, () => kind.record(job, leased, planned));
        });
      },
    }),
    queue,
    unqueue: async (db, id) => {
      await db`select from graphile_worker.remove_job(${keyOf(id)})`;
    },
    // A node that was taken for dead completes its jobs by their ids, also one that was queued anew in the same row.
    requeueLost: async (db) => {
      const lost = await db<{ id: string }[]>`
        select d.id from ${db(`${kind.name}_delivery`)} d
        where d.state = 'pending' ${kind.mayHold ? db`and not d.held` : db``}
          and not exists (select from graphile_worker.jobs j
                          where j.key = ${kind.name} || '/' || d.id and j.attempts < j.max_attempts)`;
      for (const { id } of lost) await queue(db, id);
    },
    forgetOld: async (db, now) => {
      const table = db(`${kind.name}_delivery`);
      await db`
        update ${table} set data = null
        where data is not null and finished_at < ${new Date(now.getTime() - DATA_KEPT_DAYS * DAY_MS)}`;
      const end = new Date(now.getTime() - RECORD_KEPT_DAYS * DAY_MS);
      let deleted = DELETED_AT_ONCE;
      while (deleted === DELETED_AT_ONCE)
        ({ count: deleted } = await db`
          delete from ${table}
          where id = any(array(select id from ${table} where finished_at < ${end} limit ${DELETED_AT_ONCE}))`);
    },
  };
}

/** The body is the same at every attempt. Timestamp and signatures are new, because receivers reject old ones. */
async function signedRequest<Leased extends LeasedDelivery>(
  deps: Deps,
  kind: DeliveryKind<Leased>,
  leased: Leased,
) {
  const { pool, clock, config, destinations } = deps;
  const { prefix, baseUrl } = config;
  const { id, createdAt } = leased;
  const body = JSON.stringify(deliveryBody({ destinations }, { id, createdAt }, kind.content(leased)));
  const now = clock.now();
  const secrets = kind.secrets?.(deps, leased, now) ?? [];
  const signers = await currentSigners(pool, now);
  const headers = {
    'user-agent': `${prefix}-${kind.name}s/1.0 (+${baseUrl})`,
    ...signatureHeaders({ prefix, id, now, body, secrets, signers }),
  };
  return { headers, body };
}

/** Returns the body of a delivery as its receiver gets it. */
export function deliveryBody(
  { destinations }: Pick<Deps, 'destinations'>,
  { id, createdAt }: Pick<LeasedDelivery, 'id' | 'createdAt'>,
  { type, event, ...content }: { type: string } & Record<string, unknown>,
): object {
  const { attribution } = destinations.current;
  return { id, type, event, timestamp: createdAt.toISOString(), ...content, ...attribution };
}

function plan<Leased extends LeasedDelivery>(
  { clock, log }: Deps,
  kind: DeliveryKind<Leased>,
  { id, attempts, createdAt: startedAt }: Leased,
  result: AttemptResult,
): PlannedResult {
  const now = clock.now();
  const { failure, httpStatus, words, retryAfterMs: atLeastMs } = result;
  const waitMs =
    failure === null || kind.final.includes(failure)
      ? undefined
      : nextWaitMs(DELIVERY_PLAN, { id, attempts, startedAt, now, atLeastMs });
  const state = failure === null ? 'delivered' : waitMs === undefined ? 'given_up' : 'pending';
  log.info(
    { delivery: id, attempts, state, status: httpStatus, failure, error: words },
    `${kind.name} attempted`,
  );
  return { ...result, now, state, waitMs };
}
