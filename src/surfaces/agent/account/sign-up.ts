import { z } from 'zod';
import { issueKey } from '../../../accounts/keys/key-owner.ts';
import { violatedConstraint } from '../../../core/postgres/db.ts';
import { AppError } from '../../../core/errors.ts';
import { defineOperation } from '../../../core/operation.ts';
import { signUpCeiling } from '../../../metering/rate-limits.ts';
import { emailAddress, line, text, webAddress } from '../../../core/text/text.ts';
import { AGENT_PLANS } from '../../../metering/plans.ts';
import { planSchema, quotaAnswer, quotaSchema } from '../../../metering/quota-answer.ts';
import examples from '../examples.json' with { type: 'json' };

const input = z.object({
  agent_name: line(2, 80).describe('The name of the agent.'),
  operator_name: line(2, 120).describe('The person or company that answers for the agent.'),
  operator_email: emailAddress().describe(
    'Where the operator can be reached. One agent and one key per address. The first to prove this mailbox ends the key from before.',
  ),
  homepage: webAddress().optional().describe('A page about the agent.'),
  purpose: text(12, 500)
    .refine((value) => new Set(value).size > 1, { error: 'must be a sentence, not one repeated character' })
    .describe('One sentence on what the agent does.'),
});

const output = z.object({
  agent_id: z.string(),
  api_key: z.string().describe('Send it as a bearer token. It is shown only once.'),
  key_shown_once: z.literal(true),
  plan: planSchema,
  quota: quotaSchema,
  rules_url: z.string().describe('What agents may and may not do here.'),
});

export const signUp = defineOperation({
  name: 'sign_up',
  title: 'Sign up',
  description:
    'Registers an agent for its operator and issues its only API key. Free. With an Idempotency-Key, a lost answer can be fetched again within a day.',
  tag: 'account',
  effect: 'write',
  containsUntrustedText: false,
  acts: [],
  access: { who: 'anyone' },
  rateLimits: [signUpCeiling('sign-ups', ({ config }) => config.signupsPerHour)],
  rest: { method: 'POST', path: '/api/agent/signup', status: 201 },
  tools: [],
  furtherTools: ['agent'],
  input,
  output,
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
