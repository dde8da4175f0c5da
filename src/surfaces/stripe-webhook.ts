import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { handleStripeEvent } from '../wallet/handle-stripe-event.ts';
import type { StripePayments } from '../wallet/stripe-payments.ts';
import type { Action } from './people/person/action.ts';
import type { Audience } from './people/person/audience.ts';
import { addRawAction } from './people/person/person-route.ts';

const BODY_BYTES_MAX = 256 * 1024;

/** Receives events of the payment provider. The signature covers the raw bytes, so nothing may parse them first. */
export function addStripeWebhook(app: FastifyInstance, deps: Deps): void {
  addRawAction(app, deps, handleEvent, BODY_BYTES_MAX);
}

/** The payment provider as a caller. Its requests are signed, and readEvent refuses unsigned ones. */
const provider: Audience<StripePayments> = {
  find: ({ stripe }) =>
    stripe === undefined
      ? Promise.reject(
          new AppError('not_found', 'No payment provider is set up here.', {
            hint: 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
          }),
        )
      : Promise.resolve(stripe),
  actor: () => 'stripe',
  turnAway: (_deps, _request, reply) => reply,
  verifyOrigin({ stripe }, request) {
    if (stripe !== undefined) readEvent(stripe, request);
  },
};

const handleEvent: Action<StripePayments> = {
  name: 'hear_stripe',
  path: '/webhooks/stripe',
  who: provider,
  async run(act) {
    const { heard, about } = await handleStripeEvent(act.db, act, readEvent(act.person, act.request));
    if (about === undefined) act.unchanged();
    else act.audit(about.subject, about.detail);
    return { show: ({ reply }) => reply.send({ received: true, heard }) };
  },
};

function readEvent(stripe: StripePayments, { headers, body }: FastifyRequest) {
  const signature = headers['stripe-signature'];
  return stripe.readEvent(
    Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    typeof signature === 'string' ? signature : '',
  );
}
