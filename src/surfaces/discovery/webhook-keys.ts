import type { FastifyInstance } from 'fastify';
import { publishedKeys, webhookKeysPath } from '../../delivery/signing-key.ts';
import type { Deps } from '../../core/context.ts';

/** Serves the public keys that verify webhooks and callbacks. */
export function addWebhookKeys(app: FastifyInstance, deps: Deps): void {
  app.get(webhookKeysPath(deps.config.prefix), async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .send({ keys: await publishedKeys(deps.pool, deps.clock.now()) }),
  );
}
