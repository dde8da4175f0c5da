import { z } from 'zod';
import { deliveryStateSet } from '../../delivery/delivery-state.ts';
import { invalidField } from '../../core/errors.ts';
import { defineOperation, type RateLimit } from '../../core/operation.ts';
import { HOUR_MS } from '../../core/time.ts';
import { deliveryEventSet } from '../../webhooks/booking-event.ts';
import { lockEndpoint } from '../../webhooks/endpoint.ts';
import { queueTestEvent } from '../../webhooks/queue-booking-event.ts';
import { tryAgain } from '../../webhooks/deliver-webhook.ts';
import { findDelivery } from '../../webhooks/delivery-state.ts';
import { bookingTool, partnerOf } from './calling-partner.ts';
import examples from './examples.json' with { type: 'json' };

const SENT_AGAIN: RateLimit = {
  name: 'webhook-again',
  windowMs: HOUR_MS,
  max: () => 60,
  message: 'Too many webhooks were sent again within an hour. Nothing was sent.',
  counts: 'done',
};

const properties = {
  ...bookingTool,
  tools: [],
  furtherTools: ['concierge'],
  containsUntrustedText: false,
  access: { who: 'partner', keyOnly: true },
  effect: 'write',
  acts: ['reaches_out'],
  rateLimits: [SENT_AGAIN],
} as const;

const output = z.object({
  delivery_id: z.string().describe('The webhook-id; webhook_status shows the outcome.'),
  event: deliveryEventSet.schema,
  booking_id: z.string().nullable(),
  state: deliveryStateSet.schema,
});

export const testWebhook = defineOperation({
  name: 'test_webhook',
  title: 'Test the webhook',
  description: 'Sends an event of type webhook.test to the registered address.',
  ...properties,
  rest: { method: 'POST', path: '/api/partner/webhook/test' },
  input: z.object({}),
  output,
  example: examples.test_webhook,
  async run(ctx) {
    const { id } = partnerOf(ctx.actor);
    const endpoint = await lockEndpoint(ctx.db, id);
    if (endpoint === undefined || endpoint.disabled_reason !== null)
      throw invalidField(
        'url',
        'required',
        'is required: set_webhook registers the address or enables it again',
      );
    const delivery_id = await queueTestEvent(ctx.db, ctx, id);
    ctx.audit(id, { delivery: delivery_id });
    return { delivery_id, event: 'test' as const, booking_id: null, state: 'pending' as const };
  },
  summarize: ({ delivery_id }) => `Test event ${delivery_id} is sent; webhook_status shows the outcome.`,
});

export const redeliverWebhook = defineOperation({
  name: 'redeliver_webhook',
  title: 'Send a webhook again',
  description:
    'Sends a delivery of the last 30 days again, with the same id and content, so that your receiver recognises a repeat.',
  ...properties,
  rest: { method: 'POST', path: '/api/partner/webhook/redeliver' },
  input: z.object({
    delivery_id: z
      .string()
      .regex(/^msg_[0-9a-z]{26}$/)
      .describe('From webhook_status, or the header webhook-id.'),
  }),
  output,
  example: examples.redeliver_webhook,
  async run(ctx, { delivery_id: id }) {
    const { id: partnerId } = partnerOf(ctx.actor);
    await tryAgain(ctx.db, { id, partnerId, now: ctx.now });
    const delivery = await findDelivery(ctx.db, { id, partnerId });
    // One that is waiting already needs nothing; the content of an old one was erased.
    if (delivery?.state !== 'pending')
      throw invalidField('delivery_id', 'not_in_enum', 'is none of your deliveries of the last 30 days');
    ctx.audit(partnerId, { delivery: id });
    const { delivery_id, event, booking_id, state } = delivery;
    return { delivery_id, event, booking_id, state };
  },
  summarize: ({ delivery_id, event }) => `${delivery_id} (${event}) is sent again.`,
});
