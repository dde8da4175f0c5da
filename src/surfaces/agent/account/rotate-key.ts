import { z } from 'zod';
import { replaceKey } from '../../../accounts/agents/replace-key.ts';
import { AppError } from '../../../core/errors.ts';
import { defineOperation } from '../../../core/operation.ts';
import { disconnectAll } from '../../../oauth/grant.ts';
import examples from '../examples.json' with { type: 'json' };

const output = z.object({
  agent_id: z.string(),
  api_key: z.string().describe('Send it as a bearer token. It is shown only once.'),
  key_shown_once: z.literal(true),
  rotated_at: z.string(),
  old_key_revoked: z.literal(true),
});

export const rotateKey = defineOperation({
  name: 'rotate_key',
  title: 'Rotate the key',
  description:
    'Replaces the API key. The old key is refused from the next request on. If the answer is lost, so is the new key: have the operator recover it by mail.',
  tag: 'account',
  effect: 'write',
  containsUntrustedText: false,
  acts: ['overwrites'],
  // A key outlives the connection of the client that would receive it.
  access: { who: 'agent', scope: 'write', keyOnly: true },
  rest: {
    method: 'POST',
    path: '/api/agent/me/rotate',
    formerly: {
      path: '/api/agent/rotate',
      deprecated: new Date('2026-11-16T00:00:00Z'),
      sunset: new Date('2027-12-01T00:00:00Z'),
    },
  },
  tools: [],
  furtherTools: ['agent'],
  input: z.object({
    revoke_oauth: z
      .boolean()
      .optional()
      .describe('Also disconnects every client connected by OAuth; otherwise they stay connected.'),
  }),
  output,
  failures: ['key_revoked', 'key_required', 'write_burst'],
  example: examples.rotate_key,
  async run(ctx, { revoke_oauth: revokeOauth }) {
    if (ctx.actor.kind !== 'agent' || ctx.actor.keyHash === undefined)
      throw new AppError('key_required', 'The key can only be rotated with the key itself.');
    const { id, keyHash } = ctx.actor;
    const apiKey = await replaceKey(ctx.db, ctx.deps.config.prefix, id, ctx.now, keyHash);
    ctx.invalidateKeyCaches();
    const disconnected = revokeOauth === true ? await disconnectAll(ctx.db, id) : 0;
    ctx.audit(id, { disconnected });
    return {
      agent_id: id,
      api_key: apiKey,
      key_shown_once: true as const,
      rotated_at: ctx.now.toISOString(),
      old_key_revoked: true as const,
    };
  },
  summarize: ({ api_key }) => `The new key (shown only once): ${api_key}. The old one is revoked.`,
});
