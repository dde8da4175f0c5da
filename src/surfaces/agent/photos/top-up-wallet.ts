import { z } from 'zod';
import { defineOperation } from '../../../core/operation.ts';
import { paymentsOf, requirePayments } from '../../../wallet/payments.ts';
import { openTopUp, TOPUP_MAX_CENTS, TOPUP_MIN_CENTS } from '../../../wallet/top-up.ts';
import { agentOf, agentWriteTool } from '../agent-tool.ts';
import examples from '../examples.json' with { type: 'json' };

export const topUpWallet = defineOperation({
  name: 'top_up_wallet',
  title: 'Top up the wallet',
  description:
    'Gives a link where a person pays into the wallet; the agent itself cannot pay. The link is valid for 24 hours. With test payments the page grants test credit only, and says so; without a payment provider the call is refused.',
  tag: 'photos',
  ...agentWriteTool,
  containsUntrustedText: false,
  acts: [],
  rest: { method: 'POST', path: '/api/agent/photos/topup', status: 201 },
  tools: [],
  furtherTools: ['agent'],
  input: z.object({
    amount_cents: z.int().min(TOPUP_MIN_CENTS).max(TOPUP_MAX_CENTS).describe('US cents, 5 to 500 USD.'),
  }),
  output: z.object({
    topup_id: z.string(),
    amount_cents: z.int(),
    currency: z.literal('USD').describe('US dollars.'),
    status: z.literal('awaiting_payment').describe('A person has yet to pay.'),
    checkout_url: z.string().describe('Give it to the operator: a person pays there, without signing in.'),
    test: z.boolean().describe('true: payments are tests here, so paying gives test credit only.'),
    expires_at: z.string().describe('Payment deadline.'),
  }),
  failures: ['idempotency_in_progress', 'write_burst'],
  example: examples.top_up_wallet,
  async run(ctx, { amount_cents }) {
    requirePayments(ctx.deps);
    const { id, expiresAt } = await openTopUp(ctx.db, ctx, agentOf(ctx.actor), amount_cents);
    ctx.audit(id, { amount_cents });
    return {
      topup_id: id,
      amount_cents,
      currency: 'USD' as const,
      status: 'awaiting_payment' as const,
      checkout_url: `${ctx.deps.config.baseUrl}/pay/${id}`,
      test: paymentsOf(ctx.deps) === 'test',
      expires_at: expiresAt.toISOString(),
    };
  },
  summarize: ({ amount_cents, checkout_url, expires_at }) =>
    `A person pays ${amount_cents} US cents at ${checkout_url} until ${expires_at}.`,
});
