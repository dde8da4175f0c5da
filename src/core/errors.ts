/** Every error code that a caller can get, with its HTTP status and the title of its problem page. */
export const ERRORS = {
  malformed_json: [400, 'The body is not valid JSON'],
  bad_query: [400, 'The query string cannot be read'],
  bad_cursor: [400, 'The cursor is not valid'],
  bad_request: [400, 'The request cannot be read'],
  signature_refused: [400, 'The signature does not match'],
  missing_credentials: [401, 'A credential is required'],
  sign_in_required: [401, 'Sign-in is required'],
  invalid_key: [401, 'The key is unknown'],
  key_revoked: [401, 'The key was revoked'],
  token_expired: [401, 'The token has expired'],
  wrong_audience: [401, 'The token is for another endpoint'],
  insufficient_funds: [402, 'The wallet balance is too low'],
  user_agent_required: [403, 'A real User-Agent is required'],
  agent_suspended: [403, 'The agent is suspended'],
  partner_suspended: [403, 'The partner is suspended'],
  key_required: [403, 'An API key is required'],
  bookings_not_enabled: [403, 'Bookings are not switched on for this key'],
  insufficient_scope: [403, 'The credential lacks a scope'],
  origin_refused: [403, 'The origin is not allowed'],
  host_refused: [403, 'The host name is not allowed'],
  role_required: [403, 'Your role does not allow this'],
  csrf_refused: [403, 'The form has expired'],
  not_found: [404, 'There is nothing at this address'],
  place_not_found: [404, 'The place was not found'],
  unknown_destination: [404, 'The destination was not found'],
  session_not_found: [404, 'The session was not found'],
  submission_not_found: [404, 'The submission was not found'],
  booking_not_found: [404, 'The booking was not found'],
  photo_not_found: [404, 'The photo was not found'],
  license_not_found: [404, 'The licence was not found'],
  method_not_allowed: [405, 'The method is not allowed here'],
  not_acceptable: [406, 'The answer is only available as JSON'],
  request_timeout: [408, 'The request took too long to arrive'],
  operator_exists: [409, 'The operator is already registered'],
  revision_conflict: [409, 'A newer revision exists'],
  relationship_denied: [409, 'The venue says that the operator does not act for it'],
  business_not_approved: [409, 'The business is not approved yet'],
  invalid_move: [409, 'The booking does not allow this change'],
  booking_final: [409, 'The booking has ended'],
  not_cancellable: [409, 'The venue no longer accepts a cancellation'],
  duplicate_request: [409, 'This table was already requested'],
  venue_opted_out: [409, 'The venue takes no requests through us'],
  not_bookable_here: [409, 'The place takes no table requests'],
  place_closed: [409, 'The place appears to have closed'],
  use_link: [409, 'The venue takes bookings on its own page'],
  price_above_max: [409, 'The price is above your maximum'],
  price_moved: [409, 'Another buyer moved the price'],
  daily_cap_exceeded: [409, 'The daily spending limit is reached'],
  license_refunded: [409, 'The licence was refunded'],
  idempotency_in_progress: [409, 'The same request is still running'],
  drop_ended: [410, 'The drop has ended'],
  sold_out: [410, 'The drop is sold out'],
  offer_expired: [410, 'The offer has expired'],
  place_removed: [410, 'The listing was removed'],
  link_expired: [410, 'The link is no longer valid'],
  body_too_large: [413, 'The body is too large'],
  uri_too_long: [414, 'The address is too long'],
  unsupported_media_type: [415, 'The content type is not supported'],
  validation_failed: [422, 'Some fields are not valid'],
  promo_needs_business: [422, 'The promotion needs a business'],
  unknown_business: [422, 'The business was not found'],
  business_mismatch: [422, 'The references name different businesses'],
  use_not_offered: [422, 'The photo is not offered for this use'],
  max_price_required: [422, 'A maximum price is required'],
  contact_data_refused: [422, 'Contact data is not accepted'],
  venue_phone_no_country_code: [422, 'The number of the venue has no country code'],
  in_the_past: [422, 'The time has passed'],
  too_far_ahead: [422, 'The date is too far ahead'],
  closed_at_that_time: [422, 'The place is closed at that time'],
  member_not_linked: [422, 'The member has not linked this partner'],
  idempotency_key_reused: [422, 'The idempotency key belongs to another request'],
  headers_too_large: [431, 'The headers are too large'],
  link_limit: [429, 'Too many download links for one licence'],
  rate_limited: [429, 'Too many requests'],
  daily_quota_exhausted: [429, 'The daily reads are used up'],
  monthly_quota_exhausted: [429, 'The monthly calls are used up'],
  write_burst: [429, 'Too many writes in a short time'],
  signup_rate_limited: [429, 'Too many sign-ups from this address'],
  write_rate_limited: [429, 'Too many booking writes in a minute'],
  daily_write_limit: [429, 'The daily booking writes are used up'],
  venue_daily_cap: [429, 'The venue receives no more requests today'],
  internal_error: [500, 'Something went wrong on our side'],
  bookings_halted: [503, 'Bookings are halted'],
  maintenance: [503, 'The service is not ready'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** Returns the given codes, each with its title as a sentence. */
export function errorSentences<const Code extends ErrorCode>(codes: readonly Code[]): Record<Code, string> {
  return Object.fromEntries(codes.map((code) => [code, `${ERRORS[code][1]}.`])) as Record<Code, string>;
}

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
  /** One sentence about what the caller can do. */
  hint?: string;
  retryAfterSeconds?: number;
  /** Names of the exceeded limits, as in RateLimit-Policy. */
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

/**
 * Converts anything thrown: an AppError stays, anything else becomes an internal error that does not reveal its
 * cause.
 */
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
