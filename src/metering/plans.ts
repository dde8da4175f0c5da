import { closedSet } from '../core/input/closed-set.ts';
import plans from './plans.json' with { type: 'json' };

/** Plans of surface A. Reads are searches and place fetches; writes are free on every plan. */
export const AGENT_PLANS = plans.agent;

export const agentPlanSet = closedSet('AgentPlan', plans.agent_sentences, { explainedInTools: false });

export type AgentPlanName = keyof typeof AGENT_PLANS;

export interface PlanRow {
  plan: AgentPlanName;
  plan_until: Date | null;
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

/** Plans of surface B. Past the allowance a call is refused or, with `pay_per_call`, paid for by its price. */
export const PARTNER_PLANS = plans.partner as Record<PartnerPlanName, PartnerPlan>;

export const partnerPlanSet = closedSet('PartnerPlan', plans.partner_sentences);

export interface PartnerPlan {
  name: PartnerPlanName;
  /** US cents a month; null: on request, or from the configuration. */
  price_cents: number | null;
  included: number;
  per_minute: number;
  pay_per_call: boolean;
}

export type PartnerPlanName = keyof typeof plans.partner;

/** Price of a call past the allowance, in thousandths of a US cent. Each tool declares which of them it costs. */
export const DIRECTORY_CALL = 200;
export const CONCIERGE_CALL = 3_000;

/** Percentage of booking revenue that a partner of the largest plan gets for bookings from its traffic. */
export const REVENUE_SHARE_PCT = 10;

/** Unkeyed calls on surface B: counted per session, or per address where no session is sent. */
export const UNKEYED_CALLS = { per_minute: 12, per_minute_per_address: 600 } as const;
