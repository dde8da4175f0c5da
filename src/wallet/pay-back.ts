import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import { clearingAccount, refundsAccount, walletAccount } from '../ledger/account.ts';
import { postTransaction } from '../ledger/post-transaction.ts';
import { lockBalance } from '../ledger/wallet-balance.ts';

/** Records the total refunded for a payment, if it has increased. Its event may precede that of the payment. */
export async function noteRefund(
  db: Db,
  paymentIntent: string,
  refundedCents: number,
  now: Date,
): Promise<boolean> {
  if (refundedCents <= 0) return false;
  const recorded = await db`
    insert into payment_refund as r (payment_intent, refunded_cents, reported_at)
    values (${paymentIntent}, ${refundedCents}, ${now})
    on conflict (payment_intent) do update set refunded_cents = excluded.refunded_cents, reported_at = excluded.reported_at
    where r.refunded_cents < excluded.refunded_cents`;
  return recorded.count > 0;
}

/** Books a refund against the wallet; money already spent is the platform's loss. Returns the booked cents. */
export async function bookRefunds(
  db: Db,
  ctx: { newId: NewId; now: Date },
  paymentIntent: string,
): Promise<number> {
  const [payment] = await db<{ reference: string; agent_id: string; due: number; total: number }[]>`
    select p.reference, t.agent_id, least(r.refunded_cents, p.amount_cents) - p.refunded_cents as due,
           least(r.refunded_cents, p.amount_cents) as total
    from topup_payment p join topup t on t.id = p.topup_id join payment_refund r on r.payment_intent = p.payment_intent
    where p.payment_intent = ${paymentIntent} for no key update of t, p`;
  if (payment === undefined || payment.due <= 0) return 0;
  const wallet = walletAccount('money', payment.agent_id);
  const available = Math.min(await lockBalance(db, wallet), payment.due);
  await postTransaction(db, ctx, {
    kind: 'topup_refund',
    reference: `${paymentIntent}:${payment.total}`,
    book: 'money',
    entries: [
      { account: clearingAccount('money'), cents: payment.due },
      { account: wallet, cents: -available },
      { account: refundsAccount('money'), cents: available - payment.due },
    ],
  });
  await db`update topup_payment set refunded_cents = ${payment.total} where reference = ${payment.reference}`;
  return payment.due;
}
