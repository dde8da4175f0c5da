import type { Deps } from '../core/context.ts';
import { usd } from '../core/text/money.ts';
import {
  CONCIERGE_CALL,
  DIRECTORY_CALL,
  PARTNER_PLANS,
  REVENUE_SHARE_PCT,
  type PartnerPlan,
  type PartnerPlanName,
} from './plans.ts';

type Config = Deps['config'];

interface PlanLine {
  name: PartnerPlanName;
  price: string;
  price_cents: number | null;
  /** Null when calls past the allowance are paid for and not refused. */
  calls_per_month: number | null;
  included_calls_per_month: number;
  calls_per_minute: number;
  pay_per_call: 'part of the plan' | 'can be switched on';
}

export function planTable(config: Config): PlanLine[] {
  return Object.values(PARTNER_PLANS).map((plan) => ({
    name: plan.name,
    price: priceWords(config, plan),
    price_cents: priceCents(config, plan),
    calls_per_month: plan.pay_per_call ? null : plan.included,
    included_calls_per_month: plan.included,
    calls_per_minute: plan.per_minute,
    pay_per_call: plan.pay_per_call ? 'part of the plan' : 'can be switched on',
  }));
}

function priceCents({ partnerPlanPriceCents }: Config, { name, price_cents }: PartnerPlan): number | null {
  return name === 'partner' ? (partnerPlanPriceCents ?? null) : price_cents;
}

function priceWords(config: Config, plan: PartnerPlan): string {
  switch (plan.name) {
    case 'directory':
      return `${usdOfMillicents(DIRECTORY_CALL)} per call beyond the free allowance`;
    case 'concierge':
      return `${usdOfMillicents(CONCIERGE_CALL)} per concierge_answer beyond the free allowance`;
    case 'platform':
      return `${monthly(priceCents(config, plan))} and ${REVENUE_SHARE_PCT} % of the revenue of bookings it originates`;
    default:
      return monthly(priceCents(config, plan));
  }
}

function monthly(cents: number | null): string {
  if (cents === null) return 'on request';
  return cents === 0 ? 'no fee' : `${usd(cents)} a month`;
}

export function usdOfMillicents(millicents: number): string {
  return `${dollarsOf(millicents)} USD`;
}

/** `0.002`: as many digits as needed, and at least whole cents. */
export function dollarsOf(millicents: number): string {
  return (millicents / 100_000).toFixed(5).replace(/0{1,3}$/, '');
}
