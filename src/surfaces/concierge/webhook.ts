import { z } from 'zod';
import { BOOKING_EVENTS, bookingStatusSet, deliveryEventSet } from '../../webhooks/booking-event.ts';
import { webhookKeysPath } from '../../delivery/signing-key.ts';
import { invalidField } from '../../core/errors.ts';
import { defineOperation, type RateLimit } from '../../core/operation.ts';
import { HOUR_MS } from '../../core/time.ts';
import {
  findEndpoint,
  lockEndpoint,
  removeEndpoint,
  secretHint,
  setEndpoint,
} from '../../webhooks/endpoint.ts';
import { queueTestEvent } from '../../webhooks/queue-booking-event.ts';
import { bookingTool, partnerOf } from './calling-partner.ts';
import { joinFacts, joinLines, labelled } from '../../core/text/tool-text.ts';
import { deliveryStateSet } from '../../delivery/delivery-state.ts';
import { READS_A_MINUTE } from '../../bookings/request/limits.ts';
import { closedSet } from '../../core/input/closed-set.ts';
import { deliveryErrorSet, listDeliveries } from '../../webhooks/delivery-state.ts';
import { formatCount } from '../../core/text/format-count.ts';
import examples from './examples.json' with { type: 'json' };

/** Refused calls per change that is allowed: each address is looked up, so that they are limited too. */
const TRIES_PER_CHANGE = 6;

const WEBHOOK_LIMITS: RateLimit[] = [
  {
    name: 'webhook-tries',
    windowMs: HOUR_MS,
    max: ({ config }) => config.webhookChangesPerHour * TRIES_PER_CHANGE,
    message: 'Too many webhook addresses were sent within an hour. Nothing was changed.',
  },
  {
    name: 'webhook-changes',
    windowMs: HOUR_MS,
    max: ({ config }) => config.webhookChangesPerHour,
    message: 'The webhook was changed too often within an hour. Nothing was changed.',
    counts: 'done',
  },
];

export const setWebhook = defineOperation({
  name: 'set_webhook',
  title: 'Set the webhook',
  description:
    'Registers the https address that receives every move of your bookings, signed, with retries for a day. The same address keeps its secret unless you rotate it; another address gets a new one; null removes the webhook, and undelivered events are dropped.',
  ...bookingTool,
  containsUntrustedText: false,
  // The address would keep receiving bookings after the client is disconnected.
  access: { who: 'partner', keyOnly: true },
  effect: 'write',
  acts: ['overwrites', 'reaches_out'],
  rateLimits: WEBHOOK_LIMITS,
  receivers: ['url'],
  input: z.object({
    url: z
      .string()
      .trim()
      .min(1)
      .max(2048)
      .nullable()
      .optional()
      .describe(
        'The https address that receives every move of your bookings; null to receive none. If omitted, the registered one stays.',
      ),
    rotate_secret: z
      .boolean()
      .optional()
      .describe('Creates a new secret. The previous one also signs for 24 hours.'),
    send_test: z.boolean().optional().describe('Sends an event of type webhook.test to try your receiver.'),
  }),
  output: z.object({
    url: z.string().nullable(),
    secret: z
      .string()
      .nullable()
      .describe(
        'Begins with whsec_. The key of both signatures is what follows, decoded from base64. null when the previous one stays.',
      ),
    secret_shown_once: z
      .boolean()
      .describe('true when secret is included: store it, it is never shown again.'),
    events: z.array(bookingStatusSet.schema).describe('What is sent: every move that a booking makes.'),
    created_at: z.string().nullable(),
    public_keys_url: z
      .string()
      .describe('Ed25519 keys for the v1a signature, for receivers without a secret.'),
    test_delivery_id: z.string().nullable().describe('webhook_status shows the outcome.'),
  }),
  example: examples.set_webhook,
  async run(ctx, { url: newUrl, rotate_secret, send_test }) {
    const { db, deps, now } = ctx;
    const { id: partnerId } = partnerOf(ctx.actor);
    const acts = rotate_secret === true || send_test === true;
    const url = newUrl === undefined && acts ? (await lockEndpoint(db, partnerId))?.url : newUrl;
    if (url === undefined) throw invalidField('url', 'required', acts ? NONE : 'is required');
    ctx.audit(partnerId, { removed: url === null, rotated: rotate_secret === true });
    const { partnerUrl, prefix } = deps.config;
    const common = {
      url,
      events: [...BOOKING_EVENTS],
      public_keys_url: partnerUrl + webhookKeysPath(prefix),
    };
    if (url === null) {
      if (acts) throw invalidField('url', 'required', REMOVED);
      await removeEndpoint(db, partnerId, now);
      return { ...common, secret: null, secret_shown_once: false, created_at: null, test_delivery_id: null };
    }
    const rotate = rotate_secret === true;
    const { secret, createdAt } = await setEndpoint(deps, db, { partnerId, url, rotate, now });
    return {
      ...common,
      secret,
      secret_shown_once: secret !== null,
      created_at: createdAt.toISOString(),
      test_delivery_id: send_test === true ? await queueTestEvent(db, ctx, partnerId) : null,
    };
  },
  summarize({ url, secret, public_keys_url, test_delivery_id }) {
    if (url === null) return 'The webhook is removed.';
    return joinLines(
      secret === null
        ? `Moves are sent to ${url}, signed with your existing secret.`
        : `Moves are sent to ${url}. Store the secret now, it is shown only once: ${secret}`,
      `Public keys: ${public_keys_url}`,
      test_delivery_id !== null && `Test event ${test_delivery_id}; webhook_status shows the outcome.`,
    );
  },
});

const NONE = 'is required, because no webhook is registered';
const REMOVED = 'is null, so there is no webhook to test or to give a new secret';

const DELIVERIES_SHOWN = 10;

const moment = z.string().nullable();

const disabledReasonSet = closedSet('DisabledReason', {
  disabled_by_receiver: 'The receiver answered 410. set_webhook with the same address switches it on again.',
});

export const webhookStatus = defineOperation({
  name: 'webhook_status',
  title: 'Webhook status',
  description:
    'The registered address and the last ten deliveries: booking, event, attempts, what the receiver answered, delivered or given up.',
  ...bookingTool,
  containsUntrustedText: false,
  effect: 'read',
  rateLimits: [READS_A_MINUTE],
  input: z.object({}),
  output: z.object({
    url: z.string().nullable().describe('null when no webhook is registered.'),
    active: z.boolean().describe('Whether moves are being sent.'),
    disabled_reason: disabledReasonSet.schema.nullable(),
    secret_prefix: z.string().nullable().describe('The beginning of your secret, to identify it.'),
    deliveries: z
      .array(
        z.object({
          delivery_id: z.string().describe('The webhook-id of the delivery, and the id in its body.'),
          booking_id: z.string().nullable().describe('null for a test event.'),
          event: deliveryEventSet.schema,
          sequence: z.int(),
          attempts: z.int(),
          http_status: z.int().nullable().describe("The receiver's last answer; null if there was none."),
          state: deliveryStateSet.schema,
          first_attempt_at: moment,
          last_attempt_at: moment,
          next_attempt_at: moment,
          error: deliveryErrorSet.schema.nullable().describe('Why there was no valid answer.'),
        }),
      )
      .describe('The last ten, the newest first.'),
  }),
  example: examples.webhook_status,
  async run(ctx) {
    const { actor, db, deps, now } = ctx;
    const { id: partnerId } = partnerOf(actor);
    const endpoint = await findEndpoint(db, partnerId);
    const deliveries = await listDeliveries(db, partnerId, DELIVERIES_SHOWN);
    return {
      url: endpoint?.url ?? null,
      active: endpoint !== undefined && endpoint.disabled_reason === null,
      disabled_reason: endpoint?.disabled_reason ?? null,
      secret_prefix: endpoint === undefined ? null : secretHint(deps, endpoint, now),
      deliveries: deliveries.map((one) => ({
        ...one,
        first_attempt_at: one.first_attempt_at?.toISOString() ?? null,
        last_attempt_at: one.last_attempt_at?.toISOString() ?? null,
        next_attempt_at: one.next_attempt_at?.toISOString() ?? null,
      })),
    };
  },
  summarize({ url, active, disabled_reason, deliveries }) {
    const where = url === null ? 'No webhook is registered.' : `${url} is ${active ? 'active' : 'disabled'}.`;
    return joinLines(
      `${where}${disabled_reason === null ? '' : ` ${disabled_reason}: set it again to switch it on.`}`,
      ...deliveries.map((delivery) =>
        joinFacts(
          delivery.delivery_id,
          delivery.booking_id,
          delivery.event,
          delivery.state,
          formatCount(delivery.attempts, 'attempt'),
          labelled('HTTP', delivery.http_status),
          delivery.error,
          labelled('next', delivery.next_attempt_at),
        ),
      ),
    );
  },
});
