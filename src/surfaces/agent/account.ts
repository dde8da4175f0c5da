import { z } from 'zod';
import { usdField } from '../../core/text/money.ts';
import { closedSet } from '../../core/input/closed-set.ts';
import { AppError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { agentRead } from '../../metering/metered-call.ts';
import { AGENT_PLANS, agentPlanSet, planAt, type PlanRow } from '../../metering/plans.ts';
import { planSchema, quotaAnswer, quotaSchema } from '../../metering/quota-answer.ts';
import { countByStatus } from '../../submissions/submission-status.ts';
import { accountTool, agentOf, agentReadTool } from './agent-tool.ts';
import { endPaidPlan, openCheckout } from '../../accounts/partners/plan-checkout.ts';
import { requirePayments } from '../../wallet/payments.ts';
import examples from './examples.json' with { type: 'json' };

const accountStatusSet = closedSet('AccountStatus', {
  active: 'Its key works.',
  suspended: 'Its key is refused until the suspension is lifted.',
  revoked: 'Its key is refused for good.',
});

const output = z.object({
  agent_id: z.string(),
  agent_name: z.string(),
  operator_name: z.string(),
  operator_email: z.string(),
  email_verified: z.boolean().describe('Whether a link or code mailed to the operator was used.'),
  homepage: z.string().nullable(),
  purpose: z.string(),
  status: accountStatusSet.schema,
  created_at: z.string(),
  key: z
    .object({
      prefix: z.string().describe('How the key begins; the whole key was shown once.'),
      created_at: z.string(),
      last_used_at: z.string().nullable().describe('To the minute.'),
    })
    .nullable(),
  plan: planSchema.extend({ paid_until: z.string().nullable().describe('null: the plan is free.') }),
  quota: quotaSchema,
  submissions: z.object({ pending_review: z.int(), approved: z.int(), rejected: z.int() }),
  callback_keys_url: z.string().describe('The public keys that verify callbacks.'),
});

type AccountRow = PlanRow &
  Omit<
    z.output<typeof output>,
    'created_at' | 'key' | 'plan' | 'quota' | 'submissions' | 'callback_keys_url'
  > & { created_at: Date; prefix: string | null; key_created_at: Date | null; last_used_at: Date | null };

export const getAccount = defineOperation({
  name: 'get_account',
  title: 'Your account',
  description: 'The agent behind the key: its record, its plan, what is left of its reads, its submissions.',
  ...agentReadTool,
  ...accountTool,
  rest: { method: 'GET', path: '/api/agent/me' },
  input: z.object({}),
  output,
  example: examples.get_account,
  async run(ctx) {
    const { config, meter } = ctx.deps;
    const agentId = agentOf(ctx.actor);
    const [row] = await ctx.db<AccountRow[]>`
      select a.id as agent_id, agent_name, operator_name, operator_email, homepage, purpose, status, a.created_at, plan, plan_until,
             prior_plan, prior_until, k.prefix, k.created_at as key_created_at, k.last_used_at,
             email_verified_at is not null as email_verified
      from agent a left join api_key k on k.agent_id = a.id and k.revoked_at is null where a.id = ${agentId}`;
    if (row === undefined)
      throw new AppError('invalid_key', 'This agent no longer exists.', {
        hint: 'Sign up again at POST /api/agent/signup.',
      });
    const submitted = await countByStatus(ctx.db, ctx.now, agentId);
    const plan = planAt(row, ctx.now);
    const { windows } = await meter.peek(agentRead({ id: agentId, plan }, ctx.now));
    return {
      ...row,
      created_at: row.created_at.toISOString(),
      key:
        row.prefix === null || row.key_created_at === null
          ? null
          : {
              prefix: row.prefix,
              created_at: row.key_created_at.toISOString(),
              last_used_at: row.last_used_at?.toISOString() ?? null,
            },
      plan: { ...AGENT_PLANS[plan], paid_until: plan === 'free' ? null : paidUntil(row, plan) },
      quota: quotaAnswer(ctx.now, windows[0]),
      submissions: {
        pending_review: submitted.pending_review,
        // An expired promotion was approved too.
        approved: submitted.approved + submitted.expired,
        rejected: submitted.rejected,
      },
      callback_keys_url: `${config.baseUrl}/.well-known/${config.prefix}-webhook-keys.json`,
    };
  },
  summarize: ({ agent_id, agent_name, status, plan, quota, submissions }) =>
    `${agent_id} (${agent_name}) is ${status}. Plan ${plan.name}: ${quota.remaining} of ${quota.limit} reads left today. Submissions: ${submissions.pending_review} pending, ${submissions.approved} approved, ${submissions.rejected} rejected.`,
});

function paidUntil(row: PlanRow, plan: PlanRow['plan']): string | null {
  const until = row.plan === plan ? row.plan_until : row.prior_until;
  return until?.toISOString() ?? null;
}

const planChangeSet = closedSet('PlanChange', {
  awaiting_payment: 'The plan changes at once when a person has paid at checkout_url.',
  changed: 'The plan is active.',
});

export const changePlan = defineOperation({
  name: 'change_plan',
  title: 'Change the plan',
  description:
    'A link where a person pays for a month of a plan. A larger quota applies at once, a smaller one from the next UTC day. Refused without a payment provider.',
  ...accountTool,
  effect: 'write',
  acts: ['overwrites'],
  // A person who connects a client allows it to submit listings, but not to end a paid plan.
  access: { who: 'agent', scope: 'write', keyOnly: true },
  rest: { method: 'POST', path: '/api/agent/me/plan', status: 201 },
  input: z.object({
    plan: agentPlanSet.schema.describe('free ends a paid plan; every other is paid for a month by a person.'),
  }),
  output: z.object({
    status: planChangeSet.schema,
    plan: planSchema.describe('The requested plan.'),
    checkout_id: z.string().nullable(),
    checkout_url: z
      .string()
      .nullable()
      .describe('For the operator: a person pays there, without signing in.'),
    amount_cents: z.int().describe('US cents.'),
    currency: usdField,
    expires_at: z.string().nullable().describe('Payment deadline.'),
  }),
  failures: ['write_burst'],
  example: examples.change_plan,
  async run(ctx, { plan }) {
    const agentId = agentOf(ctx.actor);
    ctx.audit(agentId, { plan });
    const base = { plan: AGENT_PLANS[plan], currency: 'USD' as const };
    if (plan === 'free') {
      await endPaidPlan(ctx.db, agentId, ctx.now);
      const unpaid = { checkout_id: null, checkout_url: null, amount_cents: 0, expires_at: null };
      return { ...base, ...unpaid, status: 'changed' as const };
    }
    requirePayments(ctx.deps);
    const { id, amountCents, expiresAt } = await openCheckout(ctx.db, ctx, agentId, plan);
    return {
      ...base,
      status: 'awaiting_payment' as const,
      checkout_id: id,
      checkout_url: `${ctx.deps.config.baseUrl}/pay/${id}`,
      amount_cents: amountCents,
      expires_at: expiresAt.toISOString(),
    };
  },
  summarize: ({ plan, checkout_url }) =>
    checkout_url === null
      ? `The plan is ${plan.name}; what was paid for applies until the next UTC day.`
      : `The plan becomes ${plan.name} once a person pays at ${checkout_url}.`,
});
