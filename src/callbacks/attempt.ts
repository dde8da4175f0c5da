import type { Deps } from '../core/context.ts';
import { EgressError, type EgressErrorCode } from '../core/egress/egress-error.ts';
import { safeRequest, type EgressAnswer } from '../core/egress/egress.ts';
import type { RetryPlan } from '../jobs/retry-plan.ts';
import { HOUR_MS, MINUTE_MS } from '../core/time.ts';

/** When what was not delivered is tried again: eight attempts, the last of them after a day. */
export const DELIVERY_PLAN: RetryPlan = {
  waitsMs: [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS],
  giveUpAfterMs: 24 * HOUR_MS,
};
const ANSWER_WITHIN_MS = 10_000;
const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 64 * 1024;
/** Longer than any attempt can take. */
export const LEASE_MS = MINUTE_MS;

/** Why an attempt failed: what the receiver answered, or why there was no answer. */
export type AttemptFailure = 'redirect' | 'gone' | 'status' | EgressErrorCode;

export interface AttemptResult {
  /** Null when the receiver has taken it. */
  failure: AttemptFailure | null;
  httpStatus: number | null;
  /** The failure in words of ours. */
  words: string | null;
  /** What the receiver asked us to wait. */
  retryAfterMs?: number | undefined;
}

/** Posts something to an address that somebody else gave us. Undefined when the signal called it off. */
export async function attempt(
  deps: Deps,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  try {
    const answer = await safeRequest(deps.egress, url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      answerWithinMs: ANSWER_WITHIN_MS,
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES_MAX,
      signal,
    });
    return judge(answer, deps.clock.now());
  } catch (thrown) {
    if (signal.aborted) return undefined;
    if (!(thrown instanceof EgressError)) throw thrown;
    return judgeFailure(thrown);
  }
}

function judge({ status, retryAfter }: EgressAnswer, now: Date): AttemptResult {
  const said = { httpStatus: status, retryAfterMs: waitAsked(retryAfter, now) };
  if (isSuccess(status)) return { ...said, failure: null, words: null };
  if (status >= 300 && status < 400)
    return { ...said, failure: 'redirect', words: 'The receiver redirects, and redirects are not followed.' };
  if (status === 410) return { ...said, failure: 'gone', words: 'The receiver wants no more of these.' };
  return { ...said, failure: 'status', words: `The receiver answered ${status}.` };
}

function judgeFailure({ code, message, status }: EgressError): AttemptResult {
  const httpStatus = status ?? null;
  // The receiver has said yes, and how much else it says is no matter.
  if (code === 'too_large' && status !== undefined && isSuccess(status))
    return { failure: null, httpStatus, words: null };
  return { failure: code, httpStatus, words: message };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function waitAsked(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
