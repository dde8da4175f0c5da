import errors from './errors.json' with { type: 'json' };
import fieldErrors from './field-errors.json' with { type: 'json' };

export type ErrorCode = keyof typeof errors;

/** Every error code that a caller can get, with its HTTP status and the title of its problem page. */
export const ERRORS = errors as Record<ErrorCode, [status: number, title: string]>;

export function errorSentences<const Code extends ErrorCode>(codes: readonly Code[]): Record<Code, string> {
  return Object.fromEntries(codes.map((code) => [code, `${ERRORS[code][1]}.`])) as Record<Code, string>;
}

/** Codes of invalid fields, each with a sentence. */
export const FIELD_ERRORS = fieldErrors;
export type FieldErrorCode = keyof typeof fieldErrors;

/** One fault of one field, addressed by a JSON pointer into the caller's input. */
export interface FieldError {
  pointer: string;
  code: FieldErrorCode;
  detail: string;
}

interface AppErrorOptions {
  /** Error of a database or a third party: for the log, never for the caller. */
  cause?: unknown;
  errors?: FieldError[];
  hint?: string;
  retryAfterSeconds?: number;
  violatedPolicies?: readonly string[];
  headers?: Record<string, string>;
  /** Further members of the problem document, such as the current price. */
  members?: Readonly<Record<string, unknown>>;
}

/** An error with a message that is safe to show to anybody, including a stranger's language model. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[];
  readonly hint: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly violatedPolicies: readonly string[] | undefined;
  readonly headers: Record<string, string>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = options.errors ?? [];
    this.hint = options.hint;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.violatedPolicies = options.violatedPolicies;
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
  }

  get status(): number {
    return ERRORS[this.code][0];
  }

  get title(): string {
    return ERRORS[this.code][1];
  }

  /** True when the same request may succeed later without being changed. */
  get retryable(): boolean {
    return this.status === 429 || this.status >= 500 || this.code === 'idempotency_in_progress';
  }
}

export function invalidField(member: string, code: FieldErrorCode, detail: string): AppError {
  const pointer = `/${member}`;
  return new AppError('validation_failed', `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });
}

/** Converts anything thrown to an AppError that does not reveal its cause. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError(
    'internal_error',
    'The request failed because of an error on our side. It is safe to try again later.',
    { cause: thrown },
  );
}

/** True for unintended failures; an intended refusal, such as while bookings are halted, is not one. */
export function isFailure(thrown: unknown, { status }: AppError): boolean {
  return status >= 500 && !(thrown instanceof AppError && thrown.cause === undefined);
}
