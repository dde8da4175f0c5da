import { z } from 'zod';
import { partnerPlanSet, PARTNER_PLANS, REVENUE_SHARE_PCT } from '../../metering/plans.ts';
import { defineOperation } from '../../core/operation.ts';
import { isPoor, readPartnerRecord } from '../../bookings/outcomes/partner-record.ts';
import { bookingShare, monthUsage, sumUsage } from '../../metering/partner-usage.ts';
import { minuteOf, monthOf, monthStart, nextMonth } from '../../metering/periods.ts';
import { usedOf } from '../../metering/rate-window.ts';
import examples from './examples.json' with { type: 'json' };

export const getUsage = defineOperation({
  name: 'get_usage',
  title: 'Usage of a partner',
  description:
    "The partner's usage in this calendar month UTC, what is left, and what calls beyond the allowance cost.",
  tag: 'partners',
  effect: 'read',
  containsUntrustedText: false,
  access: { who: 'partner' },
  rest: { method: 'GET', path: '/api/partner/usage' },
  tools: [],
  furtherTools: ['partner', 'concierge'],
  input: z.object({}),
  output: z.object({
    partner_id: z.string(),
    plan: partnerPlanSet.schema,
    period: z.object({ from: z.string(), to: z.string() }).describe('The calendar month UTC counted.'),
    calls: z.object({
      used: z.int(),
      included: z.int().describe('Calls that the plan includes in a month.'),
      remaining: z.int(),
      by_tool: z.record(z.string(), z.int()),
    }),
    per_minute: z.object({ limit: z.int(), remaining: z.int() }),
    overage: z
      .object({
        directory_calls: z.int(),
        concierge_calls: z.int(),
        cost_cents: z.int().describe('In whole US cents, rounded down.'),
        cost_millicents: z.int().describe('The same exactly, in thousandths of a US cent.'),
        pay_per_call: z
          .boolean()
          .describe('Whether calls beyond the included ones are charged instead of refused.'),
        spend_limit_cents: z
          .int()
          .nullable()
          .describe('What may be spent on them in a month; null when they are refused.'),
      })
      .describe('Calls beyond the plan.'),
    bookings: z.object({
      enabled: z.boolean().describe('Whether a person has switched table requests on.'),
      originated: z.int(),
      confirmed: z.int(),
      revenue_share_pct: z.int(),
      revenue_share_cents: z.int(),
      record: z
        .object({
          came: z.int(),
          absent: z.int().describe('Nobody came.'),
          late_cancellations: z
            .int()
            .describe('Confirmed tables that you cancelled within three hours of their time.'),
          limits_lowered: z.boolean().describe('true: too many were lost, and you can ask less often.'),
        })
        .describe('What became of your tables in the last year, as far as venues said.'),
    }),
  }),
  failures: ['missing_credentials', 'key_revoked', 'partner_suspended'],
  example: examples.get_usage,
  async run({ db, deps, actor, now }) {
    if (actor.kind !== 'partner') throw new Error('Only a partner reaches this operation.');
    const { included, per_minute } = PARTNER_PLANS[actor.plan];
    await deps.meter.settle(actor.id);
    const [tools, { minuteUsed }, share, record] = await Promise.all([
      monthUsage(db, actor.id, now),
      usedOf(db, { kind: 'calls', name: actor.id, startMs: monthStart(now), minuteMs: minuteOf(now) }),
      bookingShare(db, actor, now, deps.config.bookingFeePerCoverCents),
      readPartnerRecord({ db, now }, actor.id),
    ]);
    const { came, absent, late } = record;
    const sum = sumUsage(tools);
    return {
      partner_id: actor.id,
      plan: actor.plan,
      period: { from: `${monthOf(now)}T00:00:00Z`, to: `${monthOf(nextMonth(now))}T00:00:00Z` },
      calls: {
        used: sum.calls,
        included,
        remaining: Math.max(0, included - sum.calls),
        by_tool: Object.fromEntries(tools.map(({ tool, calls }) => [tool, calls])),
      },
      per_minute: { limit: per_minute, remaining: Math.max(0, per_minute - minuteUsed) },
      overage: {
        directory_calls: sum.directoryOverage,
        concierge_calls: sum.conciergeOverage,
        cost_cents: Math.floor(sum.costMillicents / 1000),
        cost_millicents: sum.costMillicents,
        pay_per_call: actor.spendLimitCents !== null,
        spend_limit_cents: actor.spendLimitCents,
      },
      bookings: {
        enabled: actor.bookingsEnabled,
        revenue_share_pct: REVENUE_SHARE_PCT,
        ...share,
        record: { came, absent, late_cancellations: late, limits_lowered: isPoor(record, deps) },
      },
    };
  },
  summarize: ({ plan, calls, per_minute, overage, bookings }) =>
    `Plan ${plan}: ${calls.used} of ${calls.included} calls used this month, ${per_minute.remaining} left this minute; ${overage.cost_cents} US cents to pay. Bookings are ${bookings.enabled ? 'on' : 'off'}.`,
});
