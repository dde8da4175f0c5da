import type Stripe from 'stripe';
import { completeCheckout, findCheckout } from '../accounts/partners/plan-checkout.ts';
import type { AuditDetail } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import { bookRefunds, noteRefund } from './pay-back.ts';
import { creditTopUp, findTopUp } from './top-up.ts';

/** What an event led to, and what the audit log says of it where something was changed. */
export interface StripeOutcome {
  heard: 'credited' | 'refunded' | 'already' | 'not_paid' | 'not_ours';
  about?: { subject: string; detail: AuditDetail };
}

type EventContext = Pick<Ctx, 'now' | 'newId'>;

/**
 * Acts on an event of the payment provider. Events come more than once, at once and in any order, so everything here
 * may be done again: what counts is what is recorded.
 */
export async function handleStripeEvent(
  tx: Db,
  ctx: EventContext,
  event: Stripe.Event,
): Promise<StripeOutcome> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return hearSession(tx, ctx, event.data.object);
    case 'charge.refunded': {
      const { payment_intent: intent, amount_refunded: refunded } = event.data.object;
      const id = idOf(intent);
      return id === null ? { heard: 'not_ours' } : recordRefund(tx, ctx, id, refunded);
    }
    default:
      return { heard: 'not_ours' };
  }
}

async function hearSession(
  tx: Db,
  ctx: EventContext,
  session: Stripe.Checkout.Session,
): Promise<StripeOutcome> {
  const id = session.client_reference_id ?? session.metadata?.['waypost_id'] ?? '';
  if (session.payment_status !== 'paid') return { heard: 'not_paid' };
  if (id.startsWith('pay_')) return hearPlan(tx, ctx, session, id);
  const topUp = id.startsWith('top_') ? await findTopUp(tx, id) : undefined;
  if (topUp === undefined) return { heard: 'not_ours' };
  const { agent_id: subject, amount_cents: amountCents } = topUp;
  requireAmount(session, amountCents);
  const paymentIntent = idOf(session.payment_intent);
  const payment = { reference: session.id, book: 'money', amountCents, paymentIntent } as const;
  if (!(await creditTopUp(tx, ctx, id, payment))) return { heard: 'already' };
  // A refund may have been heard of before the payment was.
  if (paymentIntent !== null) await bookRefunds(tx, ctx, paymentIntent);
  const detail = { topup: id, session: session.id, amount_cents: amountCents };
  return { heard: 'credited', about: { subject, detail } };
}

async function hearPlan(
  tx: Db,
  { now }: EventContext,
  session: Stripe.Checkout.Session,
  id: string,
): Promise<StripeOutcome> {
  const checkout = await findCheckout(tx, id);
  if (checkout === undefined) return { heard: 'not_ours' };
  requireAmount(session, checkout.amount_cents);
  if (!(await completeCheckout(tx, id, session.id, now))) return { heard: 'already' };
  const detail = { checkout: id, session: session.id, plan: checkout.plan };
  return { heard: 'credited', about: { subject: checkout.agent_id, detail } };
}

async function recordRefund(
  tx: Db,
  ctx: EventContext,
  paymentIntent: string,
  refundedCents: number,
): Promise<StripeOutcome> {
  const noted = await noteRefund(tx, paymentIntent, refundedCents, ctx.now);
  const booked = await bookRefunds(tx, ctx, paymentIntent);
  const about = { subject: paymentIntent, detail: { refunded_cents: booked } };
  return { heard: booked === 0 ? 'already' : 'refunded', ...((noted || booked > 0) && { about }) };
}

/** We set the amount ourselves; one that differs means that something else was sold under our name. */
function requireAmount({ amount_total: paid, currency }: Stripe.Checkout.Session, expected: number): void {
  if ((paid ?? expected) === expected && (currency ?? 'usd') === 'usd') return;
  throw new AppError('validation_failed', 'The amount that was paid is not the one that was asked for.');
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
