/**
 * Every stable code of the contract, by status. The codes of single fields stand inside validation_failed.
 */
export const CODES: Readonly<Record<number, string>> = {
  400: 'malformed_json bad_query bad_cursor',
  401: 'missing_credentials invalid_key key_revoked token_expired wrong_audience',
  402: 'insufficient_funds',
  403: 'user_agent_required agent_suspended insufficient_scope key_required bookings_not_enabled origin_refused',
  404: 'place_not_found submission_not_found photo_not_found license_not_found booking_not_found session_not_found',
  409: 'operator_exists price_above_max price_moved daily_cap_exceeded invalid_move booking_final not_cancellable revision_conflict idempotency_in_progress duplicate_request business_not_approved',
  410: 'drop_ended sold_out offer_expired link_expired',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed promo_needs_business unknown_business business_mismatch use_not_offered max_price_required idempotency_key_reused contact_data_refused venue_phone_no_country_code in_the_past too_far_ahead closed_at_that_time member_not_linked',
  429: 'rate_limited daily_quota_exhausted monthly_quota_exhausted write_burst write_rate_limited daily_write_limit venue_daily_cap signup_rate_limited',
  503: 'bookings_halted maintenance',
};

export const FIELD_CODES =
  'too_short too_long required not_in_enum not_integer out_of_range phone_not_e164 unknown_country bad_hours url_refused';

/** Those that need a story of their own, and the test that tells it: it asserts the code on a real answer. */
export const TOLD_ELSEWHERE: Readonly<Record<string, string>> = {
  token_expired: 'oauth/refusals.test.ts',
  wrong_audience: 'oauth/refusals.test.ts',
  insufficient_scope: 'oauth/account.test.ts',
  key_required: 'oauth/account.test.ts',
  session_not_found: 'protocol/mcp/mcp-sessions.test.ts',
  not_cancellable: 'bookings/give-back.test.ts',
  idempotency_in_progress: 'protocol/idempotency.test.ts',
  business_not_approved: 'submissions/submit-promo.test.ts',
  drop_ended: 'licensing/refusals.test.ts',
  offer_expired: 'surfaces/concierge/modify-booking.test.ts',
  link_expired: 'surfaces/people/licence/download.test.ts',
  closed_at_that_time: 'surfaces/concierge/request-table.test.ts',
  rate_limited: 'metering/reads.test.ts',
  daily_quota_exhausted: 'metering/reads.test.ts',
  monthly_quota_exhausted: 'metering/partner-month.test.ts',
  write_burst: 'surfaces/agent/account.test.ts',
  write_rate_limited: 'bookings/limits.test.ts',
  daily_write_limit: 'bookings/limits.test.ts',
  venue_daily_cap: 'bookings/limits.test.ts',
  signup_rate_limited: 'surfaces/agent/sign-up.test.ts',
  maintenance: 'app.test.ts',
};
