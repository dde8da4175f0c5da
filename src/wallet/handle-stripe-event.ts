import type Stripe from 'stripe';
import { completeCheckout, findCheckout } from '../accounts/partners/plan-checkout.ts';
import type { AuditDetail } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import { recordProviderAnswer } from '../messages/provider-test.ts';
import { bookRefunds, noteRefund } from './pay-back.ts';
import { creditTopUp, findTopUp } from './top-up.ts';

interface StripeOutcome {
  heard: 'credited' | 'refunded' | 'already' | 'not_paid' | 'tested' | 'not_ours';
  about?: { subject: string; detail: AuditDetail };
}

type EventContext = Pick<Ctx, 'now' | 'newId'>;

/** Handles an event. Events arrive repeatedly, concurrently and in any order, so every step is idempotent. */
export async function handleStripeEvent(
  tx: Db,
  ctx: EventContext,
  event: Stripe.Event,
): Promise<StripeOutcome> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return handleSession(tx, ctx, event.data.object);
    case 'checkout.session.expired': {
      const { client_reference_id: id, status } = event.data.object;
      const answer = { answer: status ?? 'expired', now: ctx.now };
      return { heard: id !== null && (await recordProviderAnswer(tx, id, answer)) ? 'tested' : 'not_ours' };
    }
    case 'charge.refunded': {
      const { payment_intent: intent, amount_refunded: refunded } = event.data.object;
      const id = idOf(intent);
      if (id === null) return { heard: 'not_ours' };
      const recorded = await noteRefund(tx, id, refunded, ctx.now);
      const booked = await bookRefunds(tx, ctx, id);
      const about = { subject: id, detail: { refunded_cents: booked } };
      return { heard: booked === 0 ? 'already' : 'refunded', ...((recorded || booked > 0) && { about }) };
    }
    default:
      return { heard: 'not_ours' };
  }
}

async function handleSession(
  tx: Db,
  ctx: EventContext,
  session: Stripe.Checkout.Session,
): Promise<StripeOutcome> {
  const id = session.client_reference_id ?? session.metadata?.['waypost_id'] ?? '';
  if (session.payment_status !== 'paid') return { heard: 'not_paid' };
  if (id.startsWith('pay_')) return handlePlanPayment(tx, ctx, session, id);
  const topUp = id.startsWith('top_') ? await findTopUp(tx, id) : undefined;
  if (topUp === undefined) return { heard: 'not_ours' };
  const { agent_id: subject, amount_cents: amountCents } = topUp;
  requireAmount(session, amountCents);
  const paymentIntent = idOf(session.payment_intent);
  const payment = { reference: session.id, book: 'money', amountCents, paymentIntent } as const;
  if (!(await creditTopUp(tx, ctx, id, payment))) return { heard: 'already' };
  // The event of a refund may have arrived before that of the payment.
  if (paymentIntent !== null) await bookRefunds(tx, ctx, paymentIntent);
  const detail = { topup: id, session: session.id, amount_cents: amountCents };
  return { heard: 'credited', about: { subject, detail } };
}

async function handlePlanPayment(
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

/** We set the amount ourselves; a different one means that something else was sold under our name. */
function requireAmount({ amount_total: paid, currency }: Stripe.Checkout.Session, expected: number): void {
  if ((paid ?? expected) === expected && (currency ?? 'usd') === 'usd') return;
  throw new AppError('validation_failed', 'The amount paid differs from the amount due.');
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
