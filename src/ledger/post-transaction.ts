import assert from 'node:assert/strict';
import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import type { Book } from './account.ts';

interface LedgerEntry {
  account: string;
  /** Credit to the account; negative for a debit. */
  cents: number;
}

export interface LedgerTransaction {
  /** Set when the caller must know the id beforehand. */
  id?: string;
  kind: 'topup' | 'topup_refund' | 'licence' | 'licence_refund' | 'payout';
  /** Subject of the booking. It is booked only once: a second one violates ledger_transaction_once. */
  reference: string;
  book: Book;
  entries: readonly LedgerEntry[];
}

/** The only writer of the ledger. The database refuses entries that do not sum to zero, and negative balances. */
export async function postTransaction(
  db: Db,
  ctx: { newId: NewId; now: Date },
  { id = ctx.newId('ltx'), kind, reference, book, entries }: LedgerTransaction,
): Promise<string> {
  const test = book === 'test';
  const nonZero = entries.filter(({ cents }) => cents !== 0);
  assert(nonZero.every(({ cents }) => Number.isSafeInteger(cents)));
  // All transactions lock balances in this order, so that they never deadlock.
  const sorted = nonZero.toSorted((a, b) => (a.account < b.account ? -1 : 1));
  // Sent immediately, not when the promise is awaited: the caller's next statements may refer to it.
  await db`
    with booked as (
      insert into ledger_transaction (id, kind, reference, test, at)
      values (${id}, ${kind}, ${reference}, ${test}, ${ctx.now})
    ), entry as (
      select * from unnest(${sorted.map(({ account }) => account)}::text[], ${sorted.map(({ cents }) => cents)}::bigint[])
        with ordinality as e (account, cents, position)
    ), opened as (
      insert into ledger_account (id, balance_cents)
      select account, 0 from entry e where account like '%:%'
        and not exists (select 1 from ledger_account a where a.id = e.account) order by account
      on conflict do nothing
    )
    insert into ledger_entry (transaction_id, account_id, test, amount_cents)
    select ${id}, account, ${test}, cents from entry order by position`.execute();
  return id;
}
