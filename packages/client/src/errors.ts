import type { components } from './generated/api.ts';
import type { ErrorCode } from './generated/operations.ts';

/** The problem document of an error (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** A code that this version knows, or one that came later. */
export type ProblemCode = ErrorCode | (string & {});

/** Whatever a call can fail with, but for the reason of your own AbortSignal, which is thrown as it is. */
export class WaypostError extends Error {
  override name = 'WaypostError';
}

/** The service refused the call and said why. Decide by `code`. */
export class ProblemError extends WaypostError {
  override name = 'ProblemError';
  readonly status: number;
  readonly code: ProblemCode;
  readonly title: string;
  readonly detail: string;
  /** The fields that are at fault, each by a JSON pointer into what was sent. */
  readonly errors: NonNullable<Problem['errors']>;
  /** The id of the request; quote it when you ask the operator of the service. */
  readonly requestId: string;
  /** How long the service asks to wait before the same call is sent again. */
  readonly retryAfterMs: number | undefined;
  /** The whole document, with members that belong to single codes. */
  readonly problem: Problem;

  constructor(problem: Problem, status: number, retryAfterMs: number | undefined) {
    super(`${problem.code}: ${problem.detail}`);
    this.status = status;
    this.code = problem.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.requestId = problem.instance;
    this.retryAfterMs = retryAfterMs;
    this.problem = problem;
  }
}

/** Something between you and the service answered instead of it, or with what is no JSON. */
export class UnexpectedAnswerError extends WaypostError {
  override name = 'UnexpectedAnswerError';
  readonly status: number;
  /** How the answer began. */
  readonly text: string;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, text: string, retryAfterMs?: number) {
    super(`The answer with status ${status} is not one of this service.`);
    this.status = status;
    this.text = text.slice(0, 1_000);
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer came: the connection failed, or the time was up. Whether a write was done is not known. */
export class ConnectionError extends WaypostError {
  override name = 'ConnectionError';
  readonly timedOut: boolean;
  readonly status = undefined;

  constructor(cause: unknown, timedOut: boolean) {
    super(timedOut ? 'The service did not answer in time.' : 'The service could not be reached.', { cause });
    this.timedOut = timedOut;
  }
}

/** Reads the document of an error; undefined where the text is none. */
export function readProblem(text: string): Problem | undefined {
  try {
    const read = JSON.parse(text) as Partial<Problem> | null;
    const fits = typeof read?.code === 'string' && typeof read.detail === 'string';
    return fits ? (read as Problem) : undefined;
  } catch {
    return undefined;
  }
}
