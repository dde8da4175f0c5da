// Made by `npm run client` from the operations of the service. Do not edit it.

import type { CallOptions, Input, Output } from '../call.ts';

/** How each operation is sent. */
export const ROUTES = {
  list_destinations: { method: 'GET', path: '/api/agent/destinations', credential: 'agent' },
  search_places: { method: 'GET', path: '/api/agent/search', credential: 'agent' },
  get_place: { method: 'GET', path: '/api/agent/business/{place_id}', credential: 'agent' },
  list_closures: { method: 'GET', path: '/api/agent/closures', credential: 'agent' },
  submit_business: { method: 'POST', path: '/api/agent/business', credential: 'agent' },
  submit_promo: { method: 'POST', path: '/api/agent/promo', credential: 'agent' },
  list_submissions: { method: 'GET', path: '/api/agent/submissions', credential: 'agent' },
  sign_up: { method: 'POST', path: '/api/agent/signup', credential: 'agent' },
  get_account: { method: 'GET', path: '/api/agent/me', credential: 'agent' },
  rotate_key: { method: 'POST', path: '/api/agent/me/rotate', credential: 'agent' },
  recover_key: { method: 'POST', path: '/api/agent/recover', credential: 'agent' },
  change_plan: { method: 'POST', path: '/api/agent/me/plan', credential: 'agent' },
  search_photos: { method: 'GET', path: '/api/agent/photos/search', credential: 'agent' },
  quote_photo: { method: 'GET', path: '/api/agent/photos/quote', credential: 'agent' },
  license_photo: { method: 'POST', path: '/api/agent/photos/license', credential: 'agent', keyInBody: true },
  link_photo: { method: 'POST', path: '/api/agent/photos/link', credential: 'agent' },
  photo_wallet: { method: 'GET', path: '/api/agent/photos/wallet', credential: 'agent' },
  top_up_wallet: { method: 'POST', path: '/api/agent/photos/topup', credential: 'agent' },
  sign_up_partner: { method: 'POST', path: '/api/partner/signup', credential: 'partner' },
  get_usage: { method: 'GET', path: '/api/partner/usage', credential: 'partner' },
  test_webhook: { method: 'POST', path: '/api/partner/webhook/test', credential: 'partner' },
  message_venue: {
    method: 'POST',
    path: '/api/partner/bookings/message',
    credential: 'partner',
    keyInBody: true,
  },
  redeliver_webhook: { method: 'POST', path: '/api/partner/webhook/redeliver', credential: 'partner' },
} as const;

/** The operations that answer in pages, and the member that holds what is listed. */
export const PAGED = {
  search_places: 'places',
  list_closures: 'closures',
  list_submissions: 'items',
  search_photos: 'photos',
} as const;

/** Every code that a problem document may carry today. */
export type ErrorCode =
  | 'malformed_json'
  | 'bad_query'
  | 'bad_cursor'
  | 'bad_request'
  | 'signature_refused'
  | 'missing_credentials'
  | 'sign_in_required'
  | 'invalid_key'
  | 'key_revoked'
  | 'token_expired'
  | 'wrong_audience'
  | 'insufficient_funds'
  | 'user_agent_required'
  | 'agent_suspended'
  | 'partner_suspended'
  | 'key_required'
  | 'bookings_not_enabled'
  | 'insufficient_scope'
  | 'origin_refused'
  | 'host_refused'
  | 'role_required'
  | 'csrf_refused'
  | 'not_found'
  | 'place_not_found'
  | 'unknown_destination'
  | 'session_not_found'
  | 'submission_not_found'
  | 'booking_not_found'
  | 'photo_not_found'
  | 'license_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'operator_exists'
  | 'revision_conflict'
  | 'relationship_denied'
  | 'business_not_approved'
  | 'invalid_move'
  | 'booking_final'
  | 'not_cancellable'
  | 'demonstration_place'
  | 'duplicate_request'
  | 'against_venue_rule'
  | 'venue_opted_out'
  | 'not_bookable_here'
  | 'place_closed'
  | 'use_link'
  | 'price_above_max'
  | 'price_moved'
  | 'daily_cap_exceeded'
  | 'license_refunded'
  | 'idempotency_in_progress'
  | 'drop_ended'
  | 'sold_out'
  | 'offer_expired'
  | 'place_removed'
  | 'link_expired'
  | 'body_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'promo_needs_business'
  | 'unknown_business'
  | 'business_mismatch'
  | 'use_not_offered'
  | 'max_price_required'
  | 'contact_data_refused'
  | 'venue_phone_no_country_code'
  | 'in_the_past'
  | 'too_far_ahead'
  | 'closed_at_that_time'
  | 'member_not_linked'
  | 'idempotency_key_reused'
  | 'headers_too_large'
  | 'link_limit'
  | 'rate_limited'
  | 'daily_quota_exhausted'
  | 'monthly_quota_exhausted'
  | 'write_burst'
  | 'signup_rate_limited'
  | 'write_rate_limited'
  | 'daily_write_limit'
  | 'venue_daily_cap'
  | 'internal_error'
  | 'bookings_halted'
  | 'maintenance';

/** A method for each operation of the service. */
export abstract class Operations {
  abstract call<Name extends keyof typeof ROUTES>(
    name: Name,
    input?: Input<Name>,
    options?: CallOptions,
  ): Promise<Output<Name>>;
  /** List destinations. Destinations that have places, by country, with their number. Needs no key, costs no read. With country or query also ids, time zones and verified places. */
  listDestinations(
    input: Input<'list_destinations'> = {},
    options?: CallOptions,
  ): Promise<Output<'list_destinations'>> {
    return this.call('list_destinations', input, options);
  }
  /** Search places. Real places not known to have closed, by how well they match. Costs one read. */
  searchPlaces(input: Input<'search_places'> = {}, options?: CallOptions): Promise<Output<'search_places'>> {
    return this.call('search_places', input, options);
  }
  /** Get one place. The full record of one place: contacts, hours, menu, how to book it, whether it has closed. Costs one read. */
  getPlace(input: Input<'get_place'>, options?: CallOptions): Promise<Output<'get_place'>> {
    return this.call('get_place', input, options);
  }
  /** List closures. Places believed to have closed, and places open again, with evidence and source object, for editors of other maps. Newest first. Needs no key, costs no read. /closures is the same for people, /closures.atom as a feed. */
  listClosures(input: Input<'list_closures'> = {}, options?: CallOptions): Promise<Output<'list_closures'>> {
    return this.call('list_closures', input, options);
  }
  /** Submit a business. Adds a real business (relationship, name, country, city required) or updates yours by external_ref or submission_id: absent fields stay, null clears. Agents never invent a business: a key that does is revoked. Free; a person reviews it. */
  submitBusiness(input: Input<'submit_business'>, options?: CallOptions): Promise<Output<'submit_business'>> {
    return this.call('submit_business', input, options);
  }
  /** Submit a promotion. A promotion, special, event or ad of your business, or update by promo_ref. Free; a person reviews it. Shown with the business. */
  submitPromo(input: Input<'submit_promo'>, options?: CallOptions): Promise<Output<'submit_promo'>> {
    return this.call('submit_promo', input, options);
  }
  /** List submissions. Your submissions and their status, newest first. Free. */
  listSubmissions(
    input: Input<'list_submissions'> = {},
    options?: CallOptions,
  ): Promise<Output<'list_submissions'>> {
    return this.call('list_submissions', input, options);
  }
  /** Sign up. Registers an agent for its operator and issues its only API key. Free. With an Idempotency-Key a lost answer can be fetched again. */
  signUp(input: Input<'sign_up'>, options?: CallOptions): Promise<Output<'sign_up'>> {
    return this.call('sign_up', input, options);
  }
  /** Your account. The agent behind the key: its record, its plan, what is left of its reads, its submissions. */
  getAccount(input: Input<'get_account'> = {}, options?: CallOptions): Promise<Output<'get_account'>> {
    return this.call('get_account', input, options);
  }
  /** Rotate the key. Replaces the API key. The old key is refused from the next request on. If the answer is lost, the operator recovers the key by mail. */
  rotateKey(input: Input<'rotate_key'> = {}, options?: CallOptions): Promise<Output<'rotate_key'>> {
    return this.call('rotate_key', input, options);
  }
  /** Recover a lost key. Mails the operator a one-time link to a page with a new key. Unknown addresses get the same answer. */
  recoverKey(input: Input<'recover_key'>, options?: CallOptions): Promise<Output<'recover_key'>> {
    return this.call('recover_key', input, options);
  }
  /** Change the plan. A link where a person pays for a month of a plan. A larger quota applies at once, a smaller one from the next UTC day. Refused without a payment provider. */
  changePlan(input: Input<'change_plan'>, options?: CallOptions): Promise<Output<'change_plan'>> {
    return this.call('change_plan', input, options);
  }
  /** Search photos. Travellers' photos to license, the newest first, with the price of each use, up 10 % with every licence. Free. */
  searchPhotos(input: Input<'search_photos'> = {}, options?: CallOptions): Promise<Output<'search_photos'>> {
    return this.call('search_photos', input, options);
  }
  /** Quote a photo. Price and terms of one use of a photo. Nothing is charged or reserved: another buyer may raise the price. */
  quotePhoto(input: Input<'quote_photo'>, options?: CallOptions): Promise<Output<'quote_photo'>> {
    return this.call('quote_photo', input, options);
  }
  /** License a photo. Licenses one use of a photo and links the file. Spends wallet money, so it needs the API key itself. At most your maximum, and 50 USD per UTC day. */
  licensePhoto(input: Input<'license_photo'>, options?: CallOptions): Promise<Output<'license_photo'>> {
    return this.call('license_photo', input, options);
  }
  /** Link to a licensed photo. A new link to the file of one of your licences, valid for 15 minutes; it supports range requests. At most 10 per licence and UTC day. */
  linkPhoto(input: Input<'link_photo'>, options?: CallOptions): Promise<Output<'link_photo'>> {
    return this.call('link_photo', input, options);
  }
  /** Photo wallet. The balance, today's spending against the cap, and the licences held. */
  photoWallet(input: Input<'photo_wallet'> = {}, options?: CallOptions): Promise<Output<'photo_wallet'>> {
    return this.call('photo_wallet', input, options);
  }
  /** Top up the wallet. A link, valid for 24 hours, where a person pays into the wallet. Test payments grant test credit only. Refused without a payment provider. */
  topUpWallet(input: Input<'top_up_wallet'>, options?: CallOptions): Promise<Output<'top_up_wallet'>> {
    return this.call('top_up_wallet', input, options);
  }
  /** Get a partner key. Creates a partner account and its key, which is shown once and mailed. Signing up again replaces the key: at once with the current key in X-Partner-Key, otherwise by mail, and the old key works until the new one is first used. */
  signUpPartner(input: Input<'sign_up_partner'>, options?: CallOptions): Promise<Output<'sign_up_partner'>> {
    return this.call('sign_up_partner', input, options);
  }
  /** Usage of a partner. The partner's usage in this calendar month UTC, what is left, and what calls beyond the allowance cost. */
  getUsage(input: Input<'get_usage'> = {}, options?: CallOptions): Promise<Output<'get_usage'>> {
    return this.call('get_usage', input, options);
  }
  /** Test the webhook. Sends an event of type webhook.test to the registered address. */
  testWebhook(input: Input<'test_webhook'> = {}, options?: CallOptions): Promise<Output<'test_webhook'>> {
    return this.call('test_webhook', input, options);
  }
  /** Send the venue a coded message. Sends one of a fixed list of messages about a confirmed table: late, allergies, step-free access, a child seat, coming. The venue acknowledges it with a tap: seen_at, and the webhook booking.message. one_more and one_fewer request a change, which the venue answers; the table stays until then. */
  messageVenue(input: Input<'message_venue'>, options?: CallOptions): Promise<Output<'message_venue'>> {
    return this.call('message_venue', input, options);
  }
  /** Send a webhook again. Sends a delivery of the last 30 days again, with the same id and content, so that your receiver recognises a repeat. */
  redeliverWebhook(
    input: Input<'redeliver_webhook'>,
    options?: CallOptions,
  ): Promise<Output<'redeliver_webhook'>> {
    return this.call('redeliver_webhook', input, options);
  }
}
