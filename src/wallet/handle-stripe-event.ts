import type Stripe from 'stripe';
import { completeCheckout, findCheckout } from '../accounts/partners/plan-checkout.ts';
import { recordAudit } from '../core/audit.ts';
import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import { bookRefunds, noteRefund } from './pay-back.ts';
import { creditTopUp, findTopUp } from './top-up.ts';

/** What an event led to: `heard` it is, whether or not it was about us. */
export type StripeOutcome = 'credited' | 'already' | 'not_paid' | 'refunded' | 'not_ours';

/**
 * Acts on an event of the payment provider, in one transaction. Events come more than once, at once and in any order,
 * so everything here may be done again: what counts is what is recorded.
 */
export async function handleStripeEvent(
  deps: Deps,
  event: Stripe.Event,
  requestId: string,
): Promise<StripeOutcome> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const session = event.data.object;
      return deps.pool.begin((sql) => hearSession(deps, sql, session, requestId));
    }
    case 'charge.refunded': {
      const { payment_intent: intent, amount_refunded: refunded } = event.data.object;
      const id = idOf(intent);
      if (id === null) return 'not_ours';
      return deps.pool.begin((sql) => hearRefund(deps, sql, id, refunded, requestId));
    }
    default:
      return 'not_ours';
  }
}

async function hearSession(
  deps: Deps,
  sql: Db,
  session: Stripe.Checkout.Session,
  requestId: string,
): Promise<StripeOutcome> {
  const id = session.client_reference_id ?? session.metadata?.['waypost_id'] ?? '';
  // A delayed method such as a bank transfer completes the checkout first and pays later.
  if (session.payment_status !== 'paid') return 'not_paid';
  if (id.startsWith('pay_')) return hearPlan(deps, sql, session, id, requestId);
  const topUp = id.startsWith('top_') ? await findTopUp(sql, id) : undefined;
  if (topUp === undefined) return 'not_ours';
  requireAmount(session, topUp.amount_cents);
  const now = deps.clock.now();
  const ctx = { newId: deps.newId, now };
  const paymentIntent = idOf(session.payment_intent);
  const first = await creditTopUp(sql, ctx, topUp.id, {
    reference: session.id,
    book: 'money',
    amountCents: topUp.amount_cents,
    paymentIntent,
  });
  if (!first) return 'already';
  await audit(deps, sql, requestId, topUp.agent_id, {
    topup: topUp.id,
    session: session.id,
    amount_cents: topUp.amount_cents,
  });
  // A refund may have been heard of before the payment was.
  if (paymentIntent !== null) await bookRefunds(sql, ctx, paymentIntent);
  return 'credited';
}

async function hearPlan(
  deps: Deps,
  sql: Db,
  session: Stripe.Checkout.Session,
  id: string,
  requestId: string,
): Promise<StripeOutcome> {
  const checkout = await findCheckout(sql, id);
  if (checkout === undefined) return 'not_ours';
  requireAmount(session, checkout.amount_cents);
  if (!(await completeCheckout(sql, id, session.id, deps.clock.now()))) return 'already';
  await audit(deps, sql, requestId, checkout.agent_id, {
    checkout: id,
    session: session.id,
    plan: checkout.plan,
  });
  return 'credited';
}

async function hearRefund(
  deps: Deps,
  sql: Db,
  paymentIntent: string,
  refundedCents: number,
  requestId: string,
): Promise<StripeOutcome> {
  const now = deps.clock.now();
  await noteRefund(sql, paymentIntent, refundedCents, now);
  const booked = await bookRefunds(sql, { newId: deps.newId, now }, paymentIntent);
  if (booked === 0) return 'already';
  await audit(deps, sql, requestId, paymentIntent, { refunded_cents: booked });
  return 'refunded';
}

/** We set the amount ourselves; one that differs means that something else was sold under our name. */
function requireAmount({ amount_total: paid, currency }: Stripe.Checkout.Session, expected: number): void {
  if ((paid ?? expected) === expected && (currency ?? 'usd') === 'usd') return;
  throw new AppError('validation_failed', 'The amount that was paid is not the one that was asked for.');
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

async function audit(
  deps: Deps,
  sql: Db,
  requestId: string,
  subject: string,
  detail: Record<string, string | number>,
): Promise<void> {
  const at = deps.clock.now();
  await recordAudit(sql, { at, actor: 'stripe', operation: 'hear_stripe', requestId, subject, detail });
}
