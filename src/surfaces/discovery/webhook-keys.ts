import type { FastifyInstance } from 'fastify';
import { publishedKeys } from '../../callbacks/signing-key.ts';
import type { Deps } from '../../core/context.ts';

/** Where receivers find the keys that verify what we send them. */
export function webhookKeysPath(prefix: string): string {
  return `/.well-known/${prefix}-webhook-keys.json`;
}

export function addWebhookKeys(app: FastifyInstance, deps: Deps): void {
  app.get(webhookKeysPath(deps.config.prefix), async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .send({ keys: await publishedKeys(deps.pool, deps.clock.now()) }),
  );
}
