import { STAFF_IDLE_MS } from '../accounts/sign-in/staff-session.ts';
import { CALL_LOG_DAYS, CALL_LOG_MAX, DAY_USAGE_DAYS } from '../metering/partner-calls.ts';
import { DATA_KEPT_DAYS, RECORD_KEPT_DAYS } from '../delivery/define-delivery.ts';
import { PRICE_VIEW_KEPT_DAYS } from '../licensing/price-view.ts';
import { OUTBOX_KEPT_DAYS, SENT_KEPT_DAYS } from '../messages/message.ts';
import { CLAIMS_DAYS, YEAR_DAYS, type Expiry, type TableRetention } from './table-retention.ts';

const CLAIMS = 'Claims about it end by law within four years.';
const BOOKS = 'Bookkeeping and tax law ask for it, and its sums need every entry.';
const EVIDENCE = 'It states who said what about a place, and on which evidence.';
const ONE_ROW = 'It does not grow with time.';
const SIGN_IN = 'It has no use afterwards.';
const EXPIRED: Expiry[] = [{ from: 'expires_at', after: 'it expires', days: 0 }];
const ONE_USE_CODE: Expiry[] = [
  {
    from: 'expires_at',
    after: 'it expires, and any lock with it',
    days: 0,
    where: '(locked_until is null or locked_until <= $1)',
  },
];

const PART_OF = (owner: string, holds: string, why: string): TableRetention => ({
  holds,
  why,
  ends: { with: owner },
});
const PLACE = (holds: string, why = EVIDENCE) => PART_OF('place', holds, why);
const OF_BOOKING = (holds: string) => PART_OF('booking', holds, 'It is part of the record of the booking.');
const KEPT_FOR = (kept: string, holds: string, why: string): TableRetention => ({
  holds,
  why,
  ends: { kept },
});
const KEPT = (holds: string, why: string) => KEPT_FOR('always', holds, why);
const OF_ACCOUNT = (holds: string) =>
  KEPT_FOR('as long as the account', holds, 'It is the account, which "waypost privacy erase" ends.');

const DELIVERY = (task: string, holds: string, receiver: string): TableRetention => ({
  holds,
  why: `${receiver} can compare a year, and the month before it, with its own records.`,
  ends: { task, kept: `content: ${DATA_KEPT_DAYS} days after its end; record: ${RECORD_KEPT_DAYS} days` },
});

/**
 * All tables of the schema: how long their rows are kept, and why. The job that deletes expired rows, docs/retention.md
 * and the console's page about kept data come from this list.
 */
export const TABLES: Readonly<Record<string, TableRetention>> = {
  // Bookings
  booking: {
    holds:
      'Table requests and their outcome. The guest’s name and notes are erased 30 days after the date of the table.',
    why: CLAIMS,
    ends: [
      {
        from: 'date',
        after: 'the date of the table',
        days: CLAIMS_DAYS,
        where: "status not in ('sent', 'asking', 'offered')",
      },
    ],
  },
  booking_entry: OF_BOOKING('The timeline of each booking.'),
  booking_offer: OF_BOOKING('Other times that venues offered.'),
  coded_message: OF_BOOKING('Coded messages about a confirmed table.'),
  table_outcome: OF_BOOKING('Whether the guests came.'),
  venue_ask: OF_BOOKING('Each request to a venue over one channel.'),
  venue_undo: OF_BOOKING('A venue’s last answer, while it can be undone.'),
  place_rating: PART_OF(
    'booking',
    'Members’ ratings of their tables.',
    'A rating counts as long as its booking proves the visit.',
  ),
  booking_choice: {
    holds: 'Requests for one table at several venues in order.',
    why: CLAIMS,
    ends: [
      {
        from: 'ended_at',
        after: 'its end, with its last booking',
        days: CLAIMS_DAYS,
        where: 'not exists (select from booking b where b.choice_id = booking_choice.id)',
      },
    ],
  },
  venue_reply: {
    holds: 'Replies of venues to mails and text messages. A stop stays, because only its sender may end it.',
    why: 'They explain an answer that is disputed soon after.',
    ends: [
      { rows: 'replies', from: 'received_at', after: 'they came', days: 90, where: "reading <> 'stop'" },
    ],
  },
  timeline_check: {
    holds: 'The daily checks that nobody has changed a timeline.',
    why: 'They vouch for the bookings that are still kept.',
    ends: [{ from: 'ended_at', after: 'its end', days: CLAIMS_DAYS }],
  },
  kill_switch: KEPT('Whether bookings are stopped.', ONE_ROW),
  kill_switch_drill: {
    holds: 'Drills of the kill switch.',
    why: 'They show how fast contact with venues could be stopped in the years about which claims are open.',
    ends: [{ from: 'ended_at', after: 'its end', days: CLAIMS_DAYS }],
  },
  outbound_action: PART_OF(
    'kill_switch_drill',
    'Contacts with venues during a drill of the kill switch.',
    'The next drill starts from an empty table.',
  ),
  booking_move: KEPT('The moves that a booking may make.', ONE_ROW),

  // Submissions
  submission: {
    holds: 'Businesses and promotions that agents submitted.',
    why: 'A rejection can be explained and a repetition found for two years. What was published keeps its attribution.',
    ends: [
      {
        rows: 'submissions that were rejected and never published',
        from: 'updated_at',
        after: 'their last change',
        days: 2 * YEAR_DAYS,
        door: 'delete_expired_submissions',
      },
    ],
  },
  submission_revision: PART_OF('submission', 'What was submitted.', 'It is the submission.'),
  submission_decision: PART_OF('submission', 'What reviewers decided.', 'It explains the submission.'),
  held_decision: PART_OF('submission', 'Decisions of the last minute.', 'They can still be undone.'),
  business_confirmation: PART_OF(
    'submission',
    'Answers of businesses about what was submitted in their name.',
    'They belong to the decision.',
  ),
  desk_task: PART_OF('submission', 'Calls to businesses about submissions.', 'They belong to the decision.'),
  submission_takedown: KEPT('Rejections of submissions that had been published.', EVIDENCE),

  // Messages and deliveries
  message: {
    holds:
      'Mails and text messages. The text of a sent or failed message is deleted at once, and its recipient and subject with the row.',
    why: 'It answers whether somebody was written to.',
    ends: [
      {
        rows: 'messages that nobody is set up to send',
        from: 'created_at',
        after: 'they were written; their codes and links have expired by then',
        days: OUTBOX_KEPT_DAYS,
        where: "state = 'outbox'",
      },
      {
        rows: 'sent and failed messages',
        from: 'created_at',
        after: 'they were written',
        days: SENT_KEPT_DAYS,
        where: "state in ('sent', 'unsure', 'failed')",
      },
    ],
  },
  webhook_delivery: DELIVERY('forget_webhook_deliveries', 'Webhooks to partners.', 'A partner'),
  callback_delivery: DELIVERY('forget_callbacks', 'Callbacks to agents about decisions.', 'An agent'),
  webhook_endpoint: OF_ACCOUNT('Where partners receive webhooks.'),
  signing_key: KEPT('Keys that sign webhooks and callbacks.', 'There is one more only after a rotation.'),
  provider_test: {
    holds: 'Test calls and test payments of the last days.',
    why: 'Set-up shows whether they were answered.',
    ends: [{ from: 'started_at', after: 'its start', days: 30 }],
  },

  // Limits, usage and audit
  audit_log: {
    holds:
      'Who changed what and when, by ids, or the network address where there is no account, without texts of callers.',
    why: `${CLAIMS} Until then nobody can change or delete an entry.`,
    ends: [{ from: 'at', after: 'the change', days: CLAIMS_DAYS, door: 'delete_expired_audit_entries' }],
  },
  idempotency_key: {
    holds: 'Encrypted answers for repeated requests.',
    why: 'A program repeats a request within a day or not at all.',
    ends: { task: 'forget_answers', kept: '24 hours' },
  },
  partner_call: {
    holds: 'The log of partners’ calls, without their contents.',
    why: 'A partner finds the cause of an error that is a few days old.',
    ends: {
      task: 'forget_partner_calls',
      kept: `${CALL_LOG_DAYS} days, and the newest ${CALL_LOG_MAX} of a partner`,
    },
  },
  partner_day_usage: {
    holds: 'Calls of each partner by day and tool.',
    why: 'A partner’s page shows a quarter.',
    ends: [{ from: 'day', after: 'the day', days: DAY_USAGE_DAYS }],
  },
  rate_window: KEPT('The counters below; it has no rows of its own.', ONE_ROW),
  rate_window_calls: {
    holds: 'What each partner used in a month, by tool.',
    why: 'It is the basis of an invoice, which tax law keeps for up to ten years after the end of its year.',
    ends: [{ from: 'ends_at', after: 'the month', days: 11 * YEAR_DAYS }],
  },
  rate_window_expiring: {
    holds: 'Counters of rate limits, and of agents’ reads in a day.',
    why: 'It has no use afterwards.',
    ends: { task: 'forget_rate_windows', kept: 'a minute after the window' },
  },
  rate_window_unkeyed: {
    holds: 'Counters of calls without a key.',
    why: 'It has no use afterwards.',
    ends: { task: 'forget_rate_windows', kept: 'a minute after the window' },
  },

  // Accounts and sign-in
  agent: OF_ACCOUNT('Agents and their operators.'),
  partner: OF_ACCOUNT('Partners.'),
  partner_application: {
    holds: 'What partners applied for, and the answer.',
    why: CLAIMS,
    ends: [{ from: 'decided_at', after: 'the answer', days: CLAIMS_DAYS }],
  },
  member: OF_ACCOUNT('Members. Of one who wants to be forgotten only the id stays.'),
  member_link: OF_ACCOUNT('Partners that may request tables for a member.'),
  staff: KEPT('Users of the console.', 'Decisions and audit entries name them.'),
  staff_recovery_code: OF_ACCOUNT('Recovery codes of staff, as hashes.'),
  review_account: KEPT('Accounts for people who check the service for a directory.', 'There are a few.'),
  api_key: {
    holds: 'Keys, as hashes.',
    why: `A leaked key can be recognised in old records. ${CLAIMS}`,
    ends: [{ rows: 'revoked keys', from: 'revoked_at', after: 'the revocation', days: CLAIMS_DAYS }],
  },
  recovery_link: {
    holds: 'Links that replace a lost key, as hashes.',
    why: 'Their number is limited by day.',
    ends: [{ from: 'expires_at', after: 'it expires', days: 7 }],
  },
  partner_link: { holds: 'Links that sign a partner in, as hashes.', why: SIGN_IN, ends: EXPIRED },
  member_link_code: { holds: 'Codes that link a member to a partner.', why: SIGN_IN, ends: EXPIRED },
  sign_in_code: { holds: 'Mailed sign-in codes, as hashes.', why: SIGN_IN, ends: ONE_USE_CODE },
  claim_code: { holds: 'Codes with which a venue claims its place.', why: SIGN_IN, ends: ONE_USE_CODE },
  sign_in_attempt: {
    holds: 'Counts of failed sign-ins.',
    why: 'Locks grow with the failures of a day.',
    ends: [
      {
        from: 'last_at',
        after: 'the last one',
        days: 1,
        where: '(locked_until is null or locked_until < $1)',
      },
    ],
  },
  operator_session: { holds: 'Sessions of operators.', why: SIGN_IN, ends: EXPIRED },
  partner_session: { holds: 'Sessions of partners.', why: SIGN_IN, ends: EXPIRED },
  member_session: { holds: 'Sessions of members.', why: SIGN_IN, ends: EXPIRED },
  venue_session: { holds: 'Sessions of venues.', why: SIGN_IN, ends: EXPIRED },
  staff_session: {
    holds: 'Sessions of staff.',
    why: SIGN_IN,
    ends: [
      { rows: 'sessions', from: 'expires_at', after: 'they expire', days: 0 },
      {
        rows: 'sessions without a request',
        from: `last_seen_at + interval '${STAFF_IDLE_MS} ms'`,
        after: 'an hour has passed',
        days: 0,
      },
    ],
  },
  ended_session: {
    holds: 'MCP sessions that were ended early.',
    why: SIGN_IN,
    ends: { task: 'forget_mcp_sessions', kept: 'until they would have expired' },
  },
  oauth_client: {
    holds: 'Programs registered for OAuth.',
    why: 'A host connects people for as long as it is used.',
    ends: { task: 'forget_oauth', kept: '90 days without use and without connections' },
  },
  oauth_grant: {
    holds: 'Connections of people to programs.',
    why: SIGN_IN,
    ends: { task: 'forget_oauth', kept: 'until nothing in it can be used or renewed' },
  },
  oauth_token: {
    holds: 'Tokens, as hashes.',
    why: 'For a day an old token is answered as expired, not as unknown.',
    ends: { task: 'forget_oauth', kept: 'a day after it expires' },
  },
  oauth_interaction: {
    holds: 'Sign-ins of programs under way.',
    why: SIGN_IN,
    ends: { task: 'forget_oauth', kept: 'until it expires' },
  },

  // Photos and money
  ledger_account: KEPT('Accounts of the ledger.', BOOKS),
  ledger_transaction: KEPT('Transactions of the ledger.', BOOKS),
  ledger_entry: KEPT('Postings of the ledger.', BOOKS),
  photo_licence: KEPT('Purchased licences.', `A licence is valid as long as it says. ${BOOKS}`),
  photo_spend: KEPT('What an agent spent on photos in a day.', BOOKS),
  topup_payment: KEPT('Payments into wallets.', BOOKS),
  payment_refund: KEPT('Payments that were paid back.', BOOKS),
  topup: {
    holds: 'Top-ups of wallets, begun or paid.',
    why: 'A payment that comes late is still assigned. Paid ones are part of the books.',
    ends: [
      {
        rows: 'top-ups that were never paid',
        from: 'expires_at',
        after: 'they expire',
        days: 90,
        where: 'paid_at is null and not exists (select from topup_payment p where p.topup_id = topup.id)',
      },
    ],
  },
  checkout: {
    holds: 'Purchases of plans, begun or paid.',
    why: 'A payment that comes late is still assigned. Paid ones are part of the books.',
    ends: [
      {
        rows: 'purchases that were never paid',
        from: 'expires_at',
        after: 'they expire',
        days: 90,
        where: 'paid_at is null',
      },
    ],
  },
  photo: KEPT(
    'Photos. The files of rejected ones are deleted after 30 days.',
    'Licences and decisions refer to them, and a rejected picture is recognised again.',
  ),
  photo_check: KEPT('What staff decided about photos.', 'It belongs to the photo.'),
  photo_price_view: {
    holds: 'Prices that an agent was shown.',
    why: 'A purchase is held against the price that was shown.',
    ends: [{ from: 'seen_at', after: 'it was shown', days: PRICE_VIEW_KEPT_DAYS }],
  },
  photo_store: KEPT('Mark of the shared storage.', ONE_ROW),

  // Directory
  destination: KEPT('Destinations.', 'They are the directory.'),
  area: KEPT('Areas of the maps.', 'They are the directory.'),
  place: KEPT('Places.', 'They are the directory.'),
  place_tally: KEPT('Counts of places by destination.', ONE_ROW),
  place_reference: PLACE('Objects of the sources.'),
  place_merged: PLACE('Duplicates that were merged.', 'Old links lead to the place that remains.'),
  place_removed: KEPT(
    'Places that were taken out.',
    'Partners with a copy learn of it however late they come.',
  ),
  listing_removal: PLACE('Removals of listings.'),
  closure_evidence: PLACE('Evidence of closures.'),
  closure_ended: PLACE('Evidence of closures that have ended.'),
  accolade: PLACE('Distinctions.'),
  menu: PLACE('Menus.', 'A place has one.'),
  table_term: PLACE('What a venue requires of a table.', 'A place has each once.'),
  vouched_contact: PLACE('Addresses that the desk found.'),
  website_probe: PLACE('The last visit to a website.', 'A place has one.'),
  venue_claim: PLACE('Venues that have claimed their place.', 'A place has one.'),
  venue_connector: PLACE('Venues’ own systems.', 'A place has one.'),
  venue_edit: PLACE('What venues changed.', 'A venue may undo it, and it states where a value comes from.'),
  venue_move: PLACE('Positions that venues asked for.'),
  venue_rule: {
    holds: 'What venues have set about table requests.',
    why: 'A partner can ask in the year after why a request was refused.',
    ends: [{ rows: 'rules with a last day', from: 'until_date', after: 'that day', days: RECORD_KEPT_DAYS }],
  },
  venue_representative: PART_OF(
    'venue_claim',
    'Agents that may speak for a venue.',
    'A venue answers once for each agent.',
  ),
  import_area: KEPT('The latest import of each area.', ONE_ROW),
  import_area_place: PLACE('Places of each imported area.', 'A place has one for each area.'),
  map_import: {
    holds: 'Imports that were started in the console, with their log.',
    why: 'It explains the data of the last year.',
    ends: [{ from: 'finished_at', after: 'its end', days: RECORD_KEPT_DAYS }],
  },
  map_watch_stop: KEPT('Maps whose updates have stopped.', 'There is one row for each map.'),
  change_sequence: KEPT('The number of the last change.', ONE_ROW),

  // Operation
  index_build: KEPT('Builds of the search index.', 'Index files refer to it; there is one for each build.'),
  index_lease: KEPT('The node that builds the index.', ONE_ROW),
  shared_index: KEPT('Copies of the search index.', 'The newest two are kept.'),
  job_runner: KEPT('Nodes and the jobs that they run.', 'The row of a node that ended is deleted.'),
  service_secret: KEPT('Secrets that all nodes share.', ONE_ROW),
  migration: KEPT('Steps of the schema.', 'There is one for each release.'),
};
