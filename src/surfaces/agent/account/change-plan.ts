import { z } from 'zod';
import { endPaidPlan, openCheckout } from '../../../accounts/partners/plan-checkout.ts';
import { defineOperation } from '../../../core/operation.ts';
import { closedSet } from '../../../core/input/closed-set.ts';
import { AGENT_PLANS, agentPlanSet } from '../../../metering/plans.ts';
import { planSchema } from '../../../metering/quota-answer.ts';
import { requirePayments } from '../../../wallet/payments.ts';
import { agentOf } from '../agent-tool.ts';
import examples from '../examples.json' with { type: 'json' };

const input = z.object({
  plan: agentPlanSet.schema.describe('free ends a paid plan; every other is paid for a month by a person.'),
});

const planChangeSet = closedSet('PlanChange', {
  awaiting_payment: 'The plan changes at once when a person has paid at checkout_url.',
  changed: 'The plan is active.',
});

const output = z.object({
  status: planChangeSet.schema,
  plan: planSchema.describe('The requested plan.'),
  checkout_id: z.string().nullable(),
  checkout_url: z
    .string()
    .nullable()
    .describe('Give it to the operator: a person pays there, without signing in.'),
  amount_cents: z.int().describe('US cents.'),
  currency: z.literal('USD').describe('US dollars.'),
  expires_at: z.string().nullable().describe('Payment deadline.'),
});

export const changePlan = defineOperation({
  name: 'change_plan',
  title: 'Change the plan',
  description:
    'Gives a link where a person pays for a month of a plan. A larger quota applies from the payment on; a smaller one from the next UTC day. Refused if no payment provider is set up.',
  tag: 'account',
  effect: 'write',
  containsUntrustedText: false,
  acts: ['overwrites'],
  // A person who connects a client allows it to submit listings, but not to end a paid plan.
  access: { who: 'agent', scope: 'write', keyOnly: true },
  rest: { method: 'POST', path: '/api/agent/me/plan', status: 201 },
  tools: [],
  furtherTools: ['agent'],
  input,
  output,
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
