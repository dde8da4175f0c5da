import type { Db } from '../../core/postgres/db.ts';
import type { NewId } from '../../core/ids.ts';
import { isLarger, planAt, AGENT_PLANS, type PlanRow, type AgentPlanName } from '../../metering/plans.ts';
import { nextMidnight } from '../../metering/quota-answer.ts';
import { DAY_MS } from '../../core/time.ts';

type PaidPlanName = Exclude<AgentPlanName, 'free'>;

const CHECKOUT_MS = DAY_MS;

export interface Checkout {
  id: string;
  agent_id: string;
  agent_name: string;
  operator_name: string;
  plan: PaidPlanName;
  amount_cents: number;
  expires_at: Date;
  paid_at: Date | null;
}

/** Opens a checkout for one month of a plan. Nothing changes until a person has paid it. */
export async function openCheckout(
  db: Db,
  ctx: { newId: NewId; now: Date },
  agentId: string,
  plan: PaidPlanName,
): Promise<{ id: string; amountCents: number; expiresAt: Date }> {
  const id = ctx.newId('pay');
  const amountCents = AGENT_PLANS[plan].price_cents;
  const expiresAt = new Date(ctx.now.getTime() + CHECKOUT_MS);
  await db`
    insert into checkout (id, agent_id, plan, amount_cents, created_at, expires_at)
    values (${id}, ${agentId}, ${plan}, ${amountCents}, ${ctx.now}, ${expiresAt})`;
  return { id, amountCents, expiresAt };
}

export async function findCheckout(db: Db, id: string): Promise<Checkout | undefined> {
  const [checkout] = await db<Checkout[]>`
    select c.id, c.agent_id, a.agent_name, a.operator_name, c.plan, c.amount_cents, c.expires_at, c.paid_at
    from checkout c join agent a on a.id = c.agent_id where c.id = ${id}`;
  return checkout;
}

/** Marks a checkout as paid and gives the agent its plan. Returns true for the first call only. */
export async function completeCheckout(db: Db, id: string, paidBy: string, now: Date): Promise<boolean> {
  const [paid] = await db<{ agent_id: string; plan: PaidPlanName }[]>`
    update checkout set paid_at = ${now}, paid_by = ${paidBy}
    where id = ${id} and paid_at is null returning agent_id, plan`;
  if (paid === undefined) return false;
  const current = await lockPlan(db, paid.agent_id);
  // Another month of the same plan begins where the paid one ends.
  const from =
    current.plan === paid.plan && current.plan_until !== null && current.plan_until > now
      ? current.plan_until
      : now;
  await db`
    update agent set plan = ${paid.plan}, plan_until = ${nextMidnight(aMonthAfter(from))} where id = ${paid.agent_id}`;
  await keepForToday(db, paid.agent_id, planAt(current, now), paid.plan, now);
  return true;
}

/** Ends a paid plan. It costs nothing, so nobody has to confirm it. */
export async function endPaidPlan(db: Db, agentId: string, now: Date): Promise<void> {
  const current = await lockPlan(db, agentId);
  await db`update agent set plan = 'free', plan_until = null where id = ${agentId}`;
  await keepForToday(db, agentId, planAt(current, now), 'free', now);
}

async function lockPlan(db: Db, agentId: string): Promise<PlanRow> {
  const [row] = await db<PlanRow[]>`
    select plan, plan_until, prior_plan, prior_until from agent where id = ${agentId} for update`;
  if (row === undefined) throw new Error('The agent no longer exists.');
  return row;
}

async function keepForToday(
  db: Db,
  agentId: string,
  before: AgentPlanName,
  after: AgentPlanName,
  now: Date,
): Promise<void> {
  if (!isLarger(before, after)) return;
  await db`
    update agent set prior_plan = ${before}, prior_until = ${nextMidnight(now)} where id = ${agentId}`;
}

/** The same day of the next month, or that month's last day when it is shorter. */
function aMonthAfter(from: Date): Date {
  const next = new Date(from);
  next.setUTCMonth(from.getUTCMonth() + 1);
  if (next.getUTCDate() !== from.getUTCDate()) next.setUTCDate(0);
  return next;
}
