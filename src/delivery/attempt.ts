import type { Deps } from '../core/context.ts';
import { EgressError, type EgressErrorCode } from '../core/egress/egress-error.ts';
import { safeRequest, type EgressAnswer } from '../core/egress/egress.ts';
import type { RetryPlan } from '../jobs/retry-plan.ts';
import { HOUR_MS, MINUTE_MS } from '../core/time.ts';

/** Retry schedule for deliveries: eight attempts, the last one after a day. */
export const DELIVERY_PLAN: RetryPlan = {
  waitsMs: [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS],
  giveUpAfterMs: 24 * HOUR_MS,
};
const ANSWER_WITHIN_MS = 10_000;
const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 64 * 1024;
export const LEASE_MS = MINUTE_MS;

/** Reason of a failed attempt: the receiver's answer, or why there was none. */
export type AttemptFailure = 'redirect' | 'gone' | 'status' | EgressErrorCode;

export interface AttemptResult {
  failure: AttemptFailure | null;
  httpStatus: number | null;
  words: string | null;
  retryAfterMs?: number | undefined;
}

/** Posts to an untrusted URL. Returns undefined when the signal aborted the request. */
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
      headersTimeoutMs: ANSWER_WITHIN_MS,
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
  const response = { httpStatus: status, retryAfterMs: requestedWaitMs(retryAfter, now) };
  if (isSuccess(status)) return { ...response, failure: null, words: null };
  if (status >= 300 && status < 400)
    return {
      ...response,
      failure: 'redirect',
      words: 'The receiver sent a redirect, which is not followed.',
    };
  if (status === 410) return { ...response, failure: 'gone', words: 'The receiver answered 410 (Gone).' };
  return { ...response, failure: 'status', words: `The receiver answered ${status}.` };
}

function judgeFailure({ code, message, status }: EgressError): AttemptResult {
  const httpStatus = status ?? null;
  // The receiver answered with success, so the size of its body does not matter.
  if (code === 'too_large' && status !== undefined && isSuccess(status))
    return { failure: null, httpStatus, words: null };
  return { failure: code, httpStatus, words: message };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function requestedWaitMs(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
