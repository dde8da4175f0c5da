import { AGENT_PLANS, type AgentPlanName } from './plans.ts';

/** What is stored of an agent's plan. */
export interface PlanRow {
  plan: AgentPlanName;
  /** Until when it is paid; null: without an end. */
  plan_until: Date | null;
  /** The larger plan that was given up today. */
  prior_plan: AgentPlanName | null;
  prior_until: Date | null;
}

/** The plan that holds at a moment: the one that is paid for, or the larger one that was given up the same day. */
export function planAt(row: PlanRow, now: Date): AgentPlanName {
  const paid = row.plan_until === null || row.plan_until > now ? row.plan : 'free';
  const prior = row.prior_until !== null && row.prior_until > now ? row.prior_plan : null;
  return prior !== null && isLarger(prior, paid) ? prior : paid;
}

export function isLarger(one: AgentPlanName, other: AgentPlanName): boolean {
  return AGENT_PLANS[one].reads_per_day > AGENT_PLANS[other].reads_per_day;
}
