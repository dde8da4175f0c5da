import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import { clearingAccount, walletAccount, type Book } from '../ledger/account.ts';
import { postTransaction } from '../ledger/post-transaction.ts';
import { DAY_MS } from '../core/time.ts';

export const TOPUP_MIN_CENTS = 500;
export const TOPUP_MAX_CENTS = 50_000;

/** Time within which a top-up can be paid. */
const TOPUP_MS = DAY_MS;

export interface TopUp {
  id: string;
  agent_id: string;
  agent_name: string;
  operator_name: string;
  amount_cents: number;
  expires_at: Date;
  paid_at: Date | null;
}

/** Creates a top-up for an agent's wallet. Nothing is credited until a person has paid it. */
export async function openTopUp(
  db: Db,
  ctx: { newId: NewId; now: Date },
  agentId: string,
  amountCents: number,
): Promise<{ id: string; expiresAt: Date }> {
  const id = ctx.newId('top');
  const expiresAt = new Date(ctx.now.getTime() + TOPUP_MS);
  await db`
    insert into topup (id, agent_id, amount_cents, created_at, expires_at)
    values (${id}, ${agentId}, ${amountCents}, ${ctx.now}, ${expiresAt})`;
  return { id, expiresAt };
}

export async function findTopUp(db: Db, id: string): Promise<TopUp | undefined> {
  const [topUp] = await db<TopUp[]>`
    select t.id, t.agent_id, a.agent_name, a.operator_name, t.amount_cents, t.expires_at, t.paid_at
    from topup t join agent a on a.id = t.agent_id where t.id = ${id}`;
  return topUp;
}

export function pendingTopUps(
  db: Db,
  agentId: string,
  now: Date,
): Promise<readonly { id: string; amount_cents: number; expires_at: Date }[]> {
  return db<{ id: string; amount_cents: number; expires_at: Date }[]>`
    select id, amount_cents, expires_at from topup
    where agent_id = ${agentId} and paid_at is null and expires_at > ${now} order by created_at desc, id desc limit 20`;
}

export interface Payment {
  /** Idempotency key: the payment is credited once, however often and concurrently it is reported. */
  reference: string;
  book: Book;
  amountCents: number;
  /** The provider's id of the payment, which refund events refer to. */
  paymentIntent?: string | null;
}

/** Credits a payment to the wallet of its top-up. Returns true only for the first report of the payment. */
export async function creditTopUp(
  db: Db,
  ctx: { newId: NewId; now: Date },
  topUpId: string,
  payment: Payment,
): Promise<boolean> {
  // The row is the lock: a concurrent report of the same payment waits here and then finds it credited.
  const [topUp] = await db<{ agent_id: string }[]>`
    select agent_id from topup where id = ${topUpId} for no key update`;
  if (topUp === undefined) return false;
  const [credited] = await db`select from topup_payment where reference = ${payment.reference}`;
  if (credited !== undefined) return false;
  const { book, amountCents, reference } = payment;
  const transactionId = await postTransaction(db, ctx, {
    kind: 'topup',
    reference,
    book,
    entries: [
      { account: clearingAccount(book), cents: -amountCents },
      { account: walletAccount(book, topUp.agent_id), cents: amountCents },
    ],
  });
  await db`
    insert into topup_payment (reference, topup_id, test, amount_cents, payment_intent, transaction_id, paid_at)
    values (${reference}, ${topUpId}, ${book === 'test'}, ${amountCents}, ${payment.paymentIntent ?? null},
            ${transactionId}, ${ctx.now})`;
  await db`update topup set paid_at = ${ctx.now} where id = ${topUpId} and paid_at is null`;
  return true;
}
