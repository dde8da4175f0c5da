import type { FastifyInstance } from 'fastify';
import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { handleStripeEvent } from '../wallet/handle-stripe-event.ts';

const BODY_BYTES_MAX = 256 * 1024;

/** Where the payment provider tells what was paid. Its signature is over the bytes, so nothing may parse them first. */
export function addStripeWebhook(app: FastifyInstance, deps: Deps): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, body, parsed) => {
        parsed(null, body);
      },
    );
    scope.post('/webhooks/stripe', async (request, reply) => {
      const { stripe } = deps;
      if (stripe === undefined)
        throw new AppError('not_found', 'No payment provider is set up here.', {
          hint: 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
        });
      const signature = request.headers['stripe-signature'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = stripe.readEvent(body, typeof signature === 'string' ? signature : '');
      const outcome = await handleStripeEvent(deps, event, request.id);
      return reply.header('cache-control', 'no-store').send({ received: true, heard: outcome });
    });
    done();
  });
}
