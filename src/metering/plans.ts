import { closedSet } from '../core/input/closed-set.ts';

/** Plans of surface A. Reads are searches and place fetches; writes are free on every plan. */
export const AGENT_PLANS = {
  free: { name: 'free', price_cents: 0, reads_per_day: 100, reads_per_minute: 120, beta: false },
  starter: { name: 'starter', price_cents: 999, reads_per_day: 2_000, reads_per_minute: 300, beta: false },
  growth: { name: 'growth', price_cents: 1_999, reads_per_day: 20_000, reads_per_minute: 600, beta: false },
  scale: { name: 'scale', price_cents: 5_000, reads_per_day: 200_000, reads_per_minute: 1_200, beta: true },
} as const;

export const agentPlanSet = closedSet(
  'AgentPlan',
  {
    free: '100 reads a day.',
    starter: '2,000 reads a day.',
    growth: '20,000 reads a day.',
    scale: '200,000 reads a day; in beta.',
  },
  { explainedInTools: false },
);

export type AgentPlanName = keyof typeof AGENT_PLANS;

/** Stored columns of an agent's plan. */
export interface PlanRow {
  plan: AgentPlanName;
  /** End of the paid period; null: no end. */
  plan_until: Date | null;
  /** The larger plan that was given up today. */
  prior_plan: AgentPlanName | null;
  prior_until: Date | null;
}

/** Plan that is in effect at a moment: the paid one, or the larger one that was given up the same day. */
export function planAt(row: PlanRow, now: Date): AgentPlanName {
  const paid = row.plan_until === null || row.plan_until > now ? row.plan : 'free';
  const prior = row.prior_until !== null && row.prior_until > now ? row.prior_plan : null;
  return prior !== null && isLarger(prior, paid) ? prior : paid;
}

export function isLarger(one: AgentPlanName, other: AgentPlanName): boolean {
  return AGENT_PLANS[one].reads_per_day > AGENT_PLANS[other].reads_per_day;
}

/** Limit against runaway agents; writes are no part of a plan. */
export const AGENT_WRITES = { per_minute: 300, per_day: 20_000 } as const;

/**
 * Plans of surface B: calls included in a month, and calls in a minute. Past the allowance a call is refused or, where
 * `pay_per_call` is part of the plan or the partner switched it on, paid for by its price.
 */
export const PARTNER_PLANS = {
  free: { name: 'free', price_cents: 0, included: 10_000, per_minute: 30, pay_per_call: false },
  partner: { name: 'partner', price_cents: null, included: 250_000, per_minute: 120, pay_per_call: false },
  directory: { name: 'directory', price_cents: 0, included: 10_000, per_minute: 120, pay_per_call: true },
  concierge: { name: 'concierge', price_cents: 0, included: 10_000, per_minute: 60, pay_per_call: true },
  platform: {
    name: 'platform',
    price_cents: 29_900,
    included: 1_000_000,
    per_minute: 600,
    pay_per_call: false,
  },
} as const satisfies Record<string, PartnerPlan>;

export const partnerPlanSet = closedSet('PartnerPlan', {
  free: '10,000 calls a month.',
  partner: '250,000 calls a month, by agreement.',
  directory: '10,000 calls a month, then paid by the call.',
  concierge: 'The same with table requests.',
  platform: '1,000,000 calls a month.',
});

export interface PartnerPlan {
  name: string;
  /** US cents a month; null: on request, or from the configuration. */
  price_cents: number | null;
  included: number;
  per_minute: number;
  pay_per_call: boolean;
}

export type PartnerPlanName = keyof typeof PARTNER_PLANS;

/** Price of a call past the allowance, in thousandths of a US cent. Each tool declares which of them it costs. */
export const DIRECTORY_CALL = 200;
export const CONCIERGE_CALL = 3_000;

/** Percentage of booking revenue that a partner of the largest plan gets for bookings from its traffic. */
export const REVENUE_SHARE_PCT = 10;

/** Unkeyed calls on surface B: counted per session, or per address where no session is sent. */
export const UNKEYED_CALLS = { per_minute: 12, per_minute_per_address: 600 } as const;
