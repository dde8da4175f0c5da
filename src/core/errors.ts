/** Every code that a caller can meet: its HTTP status and the title that its problem page carries. */
export const ERRORS = {
  malformed_json: [400, 'The body is not valid JSON'],
  bad_query: [400, 'The query string cannot be read'],
  bad_cursor: [400, 'The cursor is not one of ours'],
  bad_request: [400, 'The request cannot be read'],
  missing_credentials: [401, 'A credential is needed'],
  sign_in_required: [401, 'Sign-in is needed'],
  invalid_key: [401, 'The key is not known'],
  key_revoked: [401, 'The key was revoked'],
  token_expired: [401, 'The token has expired'],
  wrong_audience: [401, 'The token opens something else'],
  user_agent_required: [403, 'A real User-Agent is needed'],
  agent_suspended: [403, 'The agent is suspended'],
  key_required: [403, 'An API key is needed'],
  insufficient_scope: [403, 'The credential lacks a scope'],
  origin_refused: [403, 'The origin is not allowed'],
  host_refused: [403, 'The host name is not ours'],
  role_required: [403, 'Your role does not allow this'],
  csrf_refused: [403, 'The form has expired'],
  not_found: [404, 'Nothing is here'],
  place_not_found: [404, 'The place is not known'],
  unknown_destination: [404, 'The destination is not known'],
  session_not_found: [404, 'The session is not known'],
  submission_not_found: [404, 'The submission is not known'],
  method_not_allowed: [405, 'The method is not allowed here'],
  not_acceptable: [406, 'The answer is only available as JSON'],
  request_timeout: [408, 'The request took too long to arrive'],
  operator_exists: [409, 'The operator is already registered'],
  revision_conflict: [409, 'A newer revision has come meanwhile'],
  business_not_approved: [409, 'The business is not approved yet'],
  idempotency_in_progress: [409, 'The same request is still running'],
  link_expired: [410, 'The link is no longer good'],
  body_too_large: [413, 'The body is too large'],
  uri_too_long: [414, 'The address is too long'],
  unsupported_media_type: [415, 'The content type is not supported'],
  validation_failed: [422, 'Some fields are not valid'],
  promo_needs_business: [422, 'The promotion needs a business'],
  unknown_business: [422, 'The business is not known'],
  business_mismatch: [422, 'The references name different businesses'],
  idempotency_key_reused: [422, 'The idempotency key belongs to another request'],
  headers_too_large: [431, 'The headers are too large'],
  rate_limited: [429, 'Too many requests'],
  daily_quota_exhausted: [429, 'The daily reads are used up'],
  write_burst: [429, 'Too many writes in a short time'],
  signup_rate_limited: [429, 'Too many sign-ups from this address'],
  internal_error: [500, 'Something went wrong on our side'],
  maintenance: [503, 'The service is not ready'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof ERRORS;

export type FieldErrorCode =
  | 'required'
  | 'too_short'
  | 'too_long'
  | 'not_in_enum'
  | 'not_integer'
  | 'out_of_range'
  | 'wrong_type'
  | 'bad_format'
  | 'unknown_country'
  | 'phone_not_e164'
  | 'bad_hours'
  | 'url_refused';

/** One fault of one field, addressed by a JSON pointer into the caller's own input. */
export interface FieldError {
  pointer: string;
  code: FieldErrorCode;
  detail: string;
}

interface AppErrorOptions {
  /** What a database or a third party said: for the log, never for the caller. */
  cause?: unknown;
  errors?: FieldError[];
  /** What the caller can do about it, in one sentence. */
  hint?: string;
  retryAfterSeconds?: number;
  /** The names of the ceilings that were reached, as RateLimit-Policy names them. */
  violatedPolicies?: readonly string[];
  headers?: Record<string, string>;
}

/** What went wrong, in words that are safe to show to anybody, a stranger's language model included. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[];
  readonly hint: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly violatedPolicies: readonly string[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = options.errors ?? [];
    this.hint = options.hint;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.violatedPolicies = options.violatedPolicies;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code][0];
  }

  get title(): string {
    return ERRORS[this.code][1];
  }

  /** Whether the same request may succeed later without being changed. */
  get retryable(): boolean {
    return this.status === 429 || this.status >= 500 || this.code === 'idempotency_in_progress';
  }
}

/** Wraps whatever was thrown: an AppError stays, anything else becomes an internal error that says nothing of its cause. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal_error', 'The request failed on our side. It is safe to try again later.', {
    cause: thrown,
  });
}
