import { z } from 'zod';
import { deliveryStateSet } from '../../delivery/delivery-state.ts';
import { READS_A_MINUTE } from '../../bookings/request/limits.ts';
import { closedSet } from '../../core/input/closed-set.ts';
import { defineOperation } from '../../core/operation.ts';
import { deliveryEventSet } from '../../webhooks/booking-event.ts';
import { deliveryErrorSet, listDeliveries } from '../../webhooks/delivery-state.ts';
import { findEndpoint, secretHint } from '../../webhooks/endpoint.ts';
import { bookingTool, partnerOf } from './calling-partner.ts';
import { labelled, joinFacts, joinLines } from '../../core/text/tool-text.ts';
import { formatCount } from '../../core/text/format-count.ts';
import examples from './examples.json' with { type: 'json' };

const DELIVERIES_SHOWN = 10;

const moment = z.string().nullable();

const disabledReasonSet = closedSet('DisabledReason', {
  disabled_by_receiver: 'The receiver answered 410. set_webhook with the same address switches it on again.',
});

const output = z.object({
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
  output,
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
