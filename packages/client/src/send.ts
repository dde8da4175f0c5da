import { ConnectionError, ProblemError, readProblem, UnexpectedAnswerError } from './errors.ts';
import type { PlannedRequest } from './request.ts';
import { readRetryAfter, wait, waitBeforeRetry } from './retry.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface SendOptions {
  fetch: Fetch;
  signal: AbortSignal | undefined;
  timeoutMs: number;
  retries: number;
  waitMaxMs: number;
}

/** A response, and the number of attempts before it. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
  attempts: number;
}

/**
 * Sends a request until it is answered, or until another attempt would be of no use. Every attempt is the same: a GET
 * changes nothing, and a write carries a key by which the service knows it again.
 */
export async function send(request: PlannedRequest, options: SendOptions): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const result = await attemptOnce(request, options);
    if (!(result instanceof Error)) return { ...result, attempts: attempt };
    const { waitMaxMs, retries, signal } = options;
    const waitMs =
      attempt > retries ? undefined : waitBeforeRetry(result, { attempt, waitMaxMs, random: Math.random() });
    if (waitMs === undefined) throw result;
    await wait(waitMs, signal);
  }
}

type Failed = ProblemError | UnexpectedAnswerError | ConnectionError;

async function attemptOnce(
  { url, method, headers, body }: PlannedRequest,
  { fetch, signal, timeoutMs }: SendOptions,
): Promise<Omit<Answer, 'attempts'> | Failed> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers,
      // A redirect would carry keys to whatever address it names.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body }),
    });
    text = await response.text();
  } catch (thrown) {
    signal?.throwIfAborted();
    return new ConnectionError(thrown, timeout.aborted);
  }
  return readAnswer(response, text);
}

function readAnswer(response: Response, text: string): Omit<Answer, 'attempts'> | Failed {
  const { status, headers, ok } = response;
  if (ok) {
    try {
      return { status, headers, body: JSON.parse(text) as unknown };
    } catch {
      return new UnexpectedAnswerError(status, text);
    }
  }
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now());
  const problem = readProblem(text);
  return problem === undefined
    ? new UnexpectedAnswerError(status, text, retryAfterMs)
    : new ProblemError(problem, status, retryAfterMs);
}
