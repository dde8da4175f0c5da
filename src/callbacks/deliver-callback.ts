import { z } from 'zod';
import type { Deps } from '../core/context.ts';
import { EgressError } from '../core/egress-error.ts';
import { safeRequest, type EgressAnswer } from '../core/egress.ts';
import { addJob } from '../jobs/add-job.ts';
import { nextWaitMs, type RetryPlan } from '../jobs/retry-plan.ts';
import type { DeliveryState } from './callback-state.ts';
import { currentSigner } from './signing-key.ts';

const payloadSchema = z.object({ delivery_id: z.string() });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PLAN: RetryPlan = {
  waitsMs: [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS],
  giveUpAfterMs: 24 * HOUR_MS,
};
const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** Longer than any attempt can take. */
const LEASE_MS = MINUTE_MS;

interface Taken {
  url: string;
  event: string;
  data: unknown;
  attempts: number;
  created_at: Date;
}

interface Outcome {
  state: DeliveryState;
  httpStatus: number | null;
  error: string | null;
  retryAfterMs?: number | undefined;
}

/** Sends one callback. The receiver may get it twice; the id in it and in its headers is the same each time. */
export async function deliverCallback(deps: Deps, payload: unknown, signal: AbortSignal): Promise<void> {
  const { delivery_id: id } = payloadSchema.parse(payload);
  const taken = await take(deps, id);
  if (taken === undefined) return;
  const request = await signedRequest(deps, id, taken);
  let outcome: Outcome;
  try {
    outcome = judge(await safeRequest(deps.egress, taken.url, { ...request, signal }), deps.clock.now());
  } catch (thrown) {
    if (signal.aborted) return giveBack(deps, id);
    if (!(thrown instanceof EgressError)) throw thrown;
    outcome = judgeFailure(thrown);
  }
  await note(deps, id, taken, outcome);
}

/** Only one attempt is under way at a time. One whose lease has run out was that of a process that died. */
async function take({ pool, clock }: Deps, id: string): Promise<Taken | undefined> {
  const now = clock.now();
  const [taken] = await pool<Taken[]>`
    update callback_delivery set attempts = attempts + 1, leased_until = ${new Date(now.getTime() + LEASE_MS)}
    where id = ${id} and state = 'pending' and (leased_until is null or leased_until <= ${now})
    returning url, event, data, attempts, created_at`;
  if (taken !== undefined) return taken;
  const [other] = await pool<{ state: DeliveryState }[]>`
    select state from callback_delivery where id = ${id}`;
  if (other?.state === 'pending')
    await addJob(pool, 'deliver_callback', { delivery_id: id }, { delayMs: LEASE_MS });
  return undefined;
}

/** The service ends in the middle of an attempt: another node, or this one after its start, makes the next. */
async function giveBack({ pool }: Deps, id: string): Promise<void> {
  await pool.begin(async (sql) => {
    await sql`update callback_delivery set leased_until = null where id = ${id} and state = 'pending'`;
    await addJob(sql, 'deliver_callback', { delivery_id: id });
  });
}

/** The body is the same at every attempt; its time stamp and signatures are new, because receivers refuse old ones. */
async function signedRequest({ pool, clock, config, destinations }: Deps, id: string, taken: Taken) {
  const body = JSON.stringify({
    id,
    type: taken.event,
    timestamp: taken.created_at.toISOString(),
    data: taken.data,
    ...destinations.current.attribution,
  });
  const now = clock.now();
  const time = Math.floor(now.getTime() / 1000);
  const sign = await currentSigner(pool, now);
  return {
    method: 'POST' as const,
    headers: {
      'content-type': 'application/json',
      'user-agent': `${config.prefix}-callbacks/1.0 (+${config.baseUrl})`,
      [`${config.prefix}-signature`]: `t=${time},v1a=${sign(`${time}.${body}`)}`,
      'webhook-id': id,
      'webhook-timestamp': String(time),
      'webhook-signature': `v1a,${sign(`${id}.${time}.${body}`)}`,
    },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: ANSWER_BYTES_MAX,
  };
}

function judge({ status, retryAfter }: EgressAnswer, now: Date): Outcome {
  const said = { httpStatus: status, retryAfterMs: waitAsked(retryAfter, now) };
  if (status >= 200 && status < 300) return { ...said, state: 'delivered', error: null };
  if (status >= 300 && status < 400)
    return { ...said, state: 'given_up', error: 'The receiver redirects, and redirects are not followed.' };
  if (status === 410) return { ...said, state: 'given_up', error: 'The receiver wants no more of these.' };
  return { ...said, state: 'pending', error: `The receiver answered ${status}.` };
}

/** What our own rules refuse is not tried again; what the network refused is. */
function judgeFailure({ code, message, status }: EgressError): Outcome {
  const httpStatus = status ?? null;
  if (code === 'blocked_address') return { state: 'given_up', httpStatus, error: message };
  // The receiver has said yes, and how much else it says is no matter.
  if (code === 'too_large' && status !== undefined && status >= 200 && status < 300)
    return { state: 'delivered', httpStatus, error: null };
  return { state: 'pending', httpStatus, error: message };
}

function waitAsked(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

async function note(deps: Deps, id: string, taken: Taken, outcome: Outcome): Promise<void> {
  const { pool, clock, log } = deps;
  const now = clock.now();
  const { attempts, created_at: startedAt } = taken;
  const { httpStatus, error, retryAfterMs: atLeastMs } = outcome;
  const waitMs =
    outcome.state === 'pending' ? nextWaitMs(PLAN, { id, attempts, startedAt, now, atLeastMs }) : undefined;
  const state = outcome.state === 'pending' && waitMs === undefined ? 'given_up' : outcome.state;
  log.info({ delivery: id, attempts, state, status: httpStatus, error }, 'callback attempted');
  await pool.begin(async (sql) => {
    await sql`
      update callback_delivery set state = ${state}, leased_until = null, last_http_status = ${httpStatus},
        last_error = ${error}, finished_at = ${state === 'pending' ? null : now}
      where id = ${id} and state = 'pending'`;
    if (waitMs !== undefined) await addJob(sql, 'deliver_callback', { delivery_id: id }, { delayMs: waitMs });
  });
}
