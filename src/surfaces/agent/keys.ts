import { z } from 'zod';
import { issueKey } from '../../accounts/keys/key-owner.ts';
import { violatedConstraint } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { signUpLimit } from '../../metering/rate-limits.ts';
import { HOLDER_NAME_MAX, HOLDER_NAME_MIN } from '../../core/text/limits.ts';
import { emailAddress, line, text, webAddress } from '../../core/text/text.ts';
import { AGENT_PLANS } from '../../metering/plans.ts';
import { planSchema, quotaAnswer, quotaSchema } from '../../metering/quota-answer.ts';
import { replaceKey } from '../../accounts/agents/replace-key.ts';
import { disconnectAll } from '../../oauth/grant.ts';
import { addJob } from '../../jobs/add-job.ts';
import { takeFromWindow } from '../../metering/rate-window.ts';
import { HOUR_MS } from '../../core/time.ts';
import { accountTool } from './agent-tool.ts';
import examples from './examples.json' with { type: 'json' };

export const signUp = defineOperation({
  name: 'sign_up',
  title: 'Sign up',
  description:
    'Registers an agent for its operator and issues its only API key. Free. With an Idempotency-Key a lost answer can be fetched again.',
  ...accountTool,
  effect: 'write',
  acts: [],
  access: { who: 'anyone' },
  rateLimits: [signUpLimit('sign-ups', ({ config }) => config.signupsPerHour)],
  rest: { method: 'POST', path: '/api/agent/signup', status: 201 },
  input: z.object({
    agent_name: line(2, 80).describe('The name of the agent.'),
    operator_name: line(HOLDER_NAME_MIN, HOLDER_NAME_MAX).describe(
      'The person or company that answers for the agent.',
    ),
    operator_email: emailAddress().describe(
      'Where the operator can be reached. One agent and one key per address. The first to prove this mailbox ends the key from before.',
    ),
    homepage: webAddress().optional().describe('A page about the agent.'),
    purpose: text(12, 500)
      .refine((value) => new Set(value).size > 1, { error: 'must be a sentence, not one repeated character' })
      .describe('One sentence on what the agent does.'),
  }),
  output: z.object({
    agent_id: z.string(),
    api_key: z.string().describe('Send it as a bearer token. It is shown only once.'),
    key_shown_once: z.literal(true),
    plan: planSchema,
    quota: quotaSchema,
    rules_url: z.string().describe('What agents may and may not do here.'),
  }),
  failures: ['operator_exists', 'idempotency_in_progress', 'signup_rate_limited'],
  example: examples.sign_up,
  async run(ctx, args) {
    const { config } = ctx.deps;
    const agentId = ctx.newId('agt');
    try {
      await ctx.db`
        insert into agent (id, agent_name, operator_name, operator_email, homepage, purpose, created_at)
        values (${agentId}, ${args.agent_name}, ${args.operator_name}, ${args.operator_email},
                ${args.homepage || null}, ${args.purpose}, ${ctx.now})`;
    } catch (thrown) {
      if (violatedConstraint(thrown) !== 'agent_operator_unique') throw thrown;
      throw new AppError('operator_exists', 'An agent is already registered for this operator.', {
        cause: thrown,
        // The same text for every account status: a stranger must not learn here that an account was closed.
        hint: `Each operator has one key. Rotate it with POST /api/agent/me/rotate; have a lost one replaced by mail with POST /api/agent/recover. Neither works for an account that we have suspended or closed: then write to ${config.contactEmail}.`,
      });
    }
    const apiKey = await issueKey(ctx.db, config.prefix, { agentId }, ctx.now);
    ctx.audit(agentId, { agent_name: args.agent_name });
    const limit = AGENT_PLANS.free.reads_per_day;
    return {
      agent_id: agentId,
      api_key: apiKey,
      key_shown_once: true as const,
      plan: AGENT_PLANS.free,
      quota: quotaAnswer(ctx.now, { limit, remaining: limit }),
      rules_url: `${config.baseUrl}/docs/rules`,
    };
  },
  summarize: ({ agent_id, api_key, quota }) =>
    `${agent_id} is registered. Its key (shown only once): ${api_key}. ${quota.limit} reads a day.`,
});

export const rotateKey = defineOperation({
  name: 'rotate_key',
  title: 'Rotate the key',
  description:
    'Replaces the API key. The old key is refused from the next request on. If the answer is lost, the operator recovers the key by mail.',
  ...accountTool,
  effect: 'write',
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
  input: z.object({
    revoke_oauth: z
      .boolean()
      .optional()
      .describe('Also disconnects every client connected by OAuth; otherwise they stay connected.'),
  }),
  output: z.object({
    agent_id: z.string(),
    api_key: z.string().describe('Send it as a bearer token. It is shown only once.'),
    key_shown_once: z.literal(true),
    rotated_at: z.string(),
    old_key_revoked: z.literal(true),
  }),
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

/** Requests from one address per hour that lead to a mail; further ones get the same response without a mail. */
const RECOVERIES_PER_HOUR = 20;

/** The same response for every address, so that it does not reveal which ones have an account. */
function nextStep(contactEmail: string): string {
  return `If an agent is registered for this address, a mail is on its way. Closed accounts get no mail: write to ${contactEmail} instead.`;
}

export const recoverKey = defineOperation({
  name: 'recover_key',
  title: 'Recover a lost key',
  description:
    'Mails the operator a one-time link to a page with a new key. Unknown addresses get the same answer.',
  ...accountTool,
  effect: 'write',
  acts: ['reaches_out'],
  access: { who: 'anyone' },
  rest: { method: 'POST', path: '/api/agent/recover', status: 202 },
  input: z.object({
    operator_email: emailAddress().describe('The address that the agent was registered for.'),
  }),
  output: z.object({
    status: z.literal('accepted').describe('The same whether or not the address is registered.'),
    next: z.string().describe('What happens now.'),
  }),
  example: {
    input: { operator_email: 'ops@travel.example' },
    output: { status: 'accepted', next: nextStep('hello@waypost.example') },
  },
  async run(ctx, { operator_email }) {
    const name = `recover_key/address:${ctx.actor.address}`;
    const limit = { name, max: RECOVERIES_PER_HOUR, windowMs: HOUR_MS };
    const { allowed } = await takeFromWindow(ctx.db, limit, ctx.now);
    if (allowed) await addJob(ctx.db, 'send_recovery_link', { operator_email, request_id: ctx.newId('req') });
    return { status: 'accepted' as const, next: nextStep(ctx.deps.config.contactEmail) };
  },
  summarize: ({ next }) => next,
});
