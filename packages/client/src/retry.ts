const FIRST_BACKOFF_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** A timer that is set for longer goes off at once. What is left of a month can be more. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Answers after which the same call may succeed without being changed. */
const RETRYABLE: readonly number[] = [408, 429, 500, 502, 503, 504];

/** How an attempt failed. */
export interface Failure {
  /** Absent where no answer came. */
  status?: number | undefined;
  code?: string;
  /** How long the service asks to wait. */
  retryAfterMs?: number | undefined;
}

/**
 * How long to wait before the next attempt; undefined where there should be none. A wait that the service asks for is kept
 * in full or not at all: an earlier attempt would get the same answer.
 */
export function waitBeforeRetry(
  { status, code, retryAfterMs }: Failure,
  { attempt, waitMaxMs, random }: { attempt: number; waitMaxMs: number; random: number },
): number | undefined {
  const running = code === 'idempotency_in_progress';
  if (status !== undefined && !RETRYABLE.includes(status) && !running) return undefined;
  const longest = Math.min(waitMaxMs, TIMER_MAX_MS);
  if (retryAfterMs !== undefined) return retryAfterMs <= longest ? retryAfterMs : undefined;
  // A ceiling that names no time is one for which waiting is no remedy.
  if (status === 429) return undefined;
  const full = Math.min(BACKOFF_MAX_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  return Math.min(waitMaxMs, full * (0.5 + random / 2));
}

/** Reads Retry-After: seconds or a date (RFC 9110). */
export function readRetryAfter(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Za-z]/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Waits, unless the signal calls it off. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const callOff = () => {
      clearTimeout(timer);
      // The caller chooses the reason of the abort; it is thrown unchanged.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', callOff);
      done();
    }, ms);
    if (signal?.aborted === true) callOff();
    else signal?.addEventListener('abort', callOff, { once: true });
  });
}
