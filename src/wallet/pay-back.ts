import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import { clearingAccount, refundsAccount, walletAccount } from '../ledger/account.ts';
import { postTransaction } from '../ledger/post-transaction.ts';
import { lockBalance } from '../ledger/wallet-balance.ts';

/** Notes how much of a payment the provider has given back so far, if it is more. It may be heard before the payment is. */
export async function noteRefund(
  db: Db,
  paymentIntent: string,
  refundedCents: number,
  now: Date,
): Promise<boolean> {
  if (refundedCents <= 0) return false;
  const noted = await db`
    insert into payment_refund as r (payment_intent, refunded_cents, heard_at)
    values (${paymentIntent}, ${refundedCents}, ${now})
    on conflict (payment_intent) do update set refunded_cents = excluded.refunded_cents, heard_at = excluded.heard_at
    where r.refunded_cents < excluded.refunded_cents`;
  return noted.count > 0;
}

/**
 * Takes what was given back out of the wallet that the payment had filled. What the agent has spent by then cannot be
 * taken from it, because no wallet goes below zero: that part is the platform's loss. Gives the cents that were booked.
 */
export async function bookRefunds(
  db: Db,
  ctx: { newId: NewId; now: Date },
  paymentIntent: string,
): Promise<number> {
  const [paid] = await db<{ reference: string; agent_id: string; due: number; total: number }[]>`
    select p.reference, t.agent_id, least(r.refunded_cents, p.amount_cents) - p.refunded_cents as due,
           least(r.refunded_cents, p.amount_cents) as total
    from topup_payment p join topup t on t.id = p.topup_id join payment_refund r on r.payment_intent = p.payment_intent
    where p.payment_intent = ${paymentIntent} for no key update of t, p`;
  if (paid === undefined || paid.due <= 0) return 0;
  const wallet = walletAccount('money', paid.agent_id);
  const held = Math.min(await lockBalance(db, wallet), paid.due);
  await postTransaction(db, ctx, {
    kind: 'topup_refund',
    reference: `${paymentIntent}:${paid.total}`,
    book: 'money',
    entries: [
      { account: clearingAccount('money'), cents: paid.due },
      { account: wallet, cents: -held },
      { account: refundsAccount('money'), cents: held - paid.due },
    ],
  });
  await db`update topup_payment set refunded_cents = ${paid.total} where reference = ${paid.reference}`;
  return paid.due;
}
