import { z } from 'zod';
import { usdField } from '../../core/text/money.ts';
import { defineOperation } from '../../core/operation.ts';
import { readWallet } from '../../ledger/wallet-balance.ts';
import { capResetsAt, DAILY_CAP_CENTS, spentOn } from '../../licensing/daily-cap.ts';
import { listLicences } from '../../licensing/list-licences.ts';
import { useSchema } from '../../licensing/use.ts';
import { openTopUp, pendingTopUps, TOPUP_MAX_CENTS, TOPUP_MIN_CENTS } from '../../wallet/top-up.ts';
import { joinFacts, joinLines } from '../../core/text/tool-text.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { agentOf, agentReadTool, agentWriteTool } from './agent-tool.ts';
import { paymentsOf, requirePayments } from '../../wallet/payments.ts';
import examples from './examples.json' with { type: 'json' };

const LICENCES_SHOWN = 100;

export const photoWallet = defineOperation({
  name: 'photo_wallet',
  title: 'Photo wallet',
  description: "The balance, today's spending against the cap, and the licences held.",
  tag: 'photos',
  ...agentReadTool,
  containsUntrustedText: false,
  rest: { method: 'GET', path: '/api/agent/photos/wallet' },
  input: z.object({}),
  output: z.object({
    balance_cents: z.int().describe('Money in the wallet, in US cents.'),
    test_credit_cents: z.int().describe('Test credit. It is never mixed with money.'),
    currency: usdField,
    spent_today_cents: z.int().describe('Since midnight UTC, money and test credit.'),
    cap_cents: z.int().describe('The most that may be spent in a UTC day.'),
    cap_remaining_cents: z.int(),
    cap_resets_at: z.string(),
    licences: z
      .array(
        z.object({
          license_id: z.string(),
          photo_id: z.string(),
          use: useSchema,
          price_cents: z.int(),
          test: z.boolean(),
          licensed_at: z.string(),
          refunded_at: z.string().nullable(),
        }),
      )
      .describe(`The newest ${LICENCES_SHOWN}.`),
    licences_total: z.int(),
    pending_topups: z
      .array(
        z.object({
          topup_id: z.string(),
          amount_cents: z.int(),
          checkout_url: z.string(),
          expires_at: z.string(),
        }),
      )
      .describe('Open top-ups that a person has yet to pay.'),
  }),
  example: examples.photo_wallet,
  async run({ deps, actor, db, now }) {
    const agentId = agentOf(actor);
    const [wallet, spent, { licences, total }, topUps] = await Promise.all([
      readWallet(db, agentId),
      spentOn(db, agentId, now),
      listLicences(db, { agentId, limit: LICENCES_SHOWN }),
      pendingTopUps(db, agentId, now),
    ]);
    return {
      balance_cents: wallet.money,
      test_credit_cents: wallet.test,
      currency: 'USD' as const,
      spent_today_cents: spent,
      cap_cents: DAILY_CAP_CENTS,
      cap_remaining_cents: DAILY_CAP_CENTS - spent,
      cap_resets_at: capResetsAt(now).toISOString(),
      licences: licences.map((licence) => ({
        license_id: licence.id,
        photo_id: licence.photo_id,
        use: licence.use,
        price_cents: licence.price_cents,
        test: licence.test,
        licensed_at: licence.licensed_at.toISOString(),
        refunded_at: licence.refunded_at?.toISOString() ?? null,
      })),
      licences_total: total,
      pending_topups: topUps.map(({ id, amount_cents, expires_at }) => ({
        topup_id: id,
        amount_cents,
        checkout_url: `${deps.config.baseUrl}/pay/${id}`,
        expires_at: expires_at.toISOString(),
      })),
    };
  },
  summarize(wallet) {
    const { balance_cents, test_credit_cents, spent_today_cents, cap_cents, licences, pending_topups } =
      wallet;
    return joinLines(
      `${balance_cents} cents and ${test_credit_cents} cents of test credit; ${spent_today_cents} of ${cap_cents} cents spent today, which resets at ${wallet.cap_resets_at}; ${formatCount(wallet.licences_total, 'licence')}.`,
      ...licences.map(({ license_id, photo_id, use, price_cents, licensed_at, refunded_at }) =>
        joinFacts(
          license_id,
          photo_id,
          use,
          `${price_cents} cents`,
          licensed_at,
          refunded_at !== null && 'refunded',
        ),
      ),
      ...pending_topups.map(
        ({ topup_id, amount_cents, checkout_url, expires_at }) =>
          `To be paid by a person: ${joinFacts(topup_id, `${amount_cents} cents`, checkout_url, `until ${expires_at}`)}`,
      ),
    );
  },
});

export const topUpWallet = defineOperation({
  name: 'top_up_wallet',
  title: 'Top up the wallet',
  description:
    'A link, valid for 24 hours, where a person pays into the wallet. Test payments grant test credit only. Refused without a payment provider.',
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
    currency: usdField,
    status: z.literal('awaiting_payment').describe('A person has yet to pay.'),
    checkout_url: z.string().describe('For the operator: a person pays there, without signing in.'),
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
