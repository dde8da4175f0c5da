import assert from 'node:assert/strict';
import type { Db, Sending } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import type { Book } from './account.ts';

export interface Entry {
  account: string;
  /** What the account gains; below zero, what it loses. */
  cents: number;
}

export interface LedgerTransaction {
  id: string;
  kind: 'topup' | 'topup_refund' | 'licence' | 'licence_refund' | 'payout';
  /** What is booked. The same is never booked twice: the second is refused as ledger_transaction_once. */
  reference: string;
  book: Book;
  entries: readonly Entry[];
}

/**
 * Writes one transaction into the ledger, and gives its id. Nothing else writes there. The database adds the entries to
 * the balances, and refuses entries that do not sum to zero and balances below it.
 */
export async function postTransaction(
  db: Db,
  ctx: { newId: NewId; now: Date },
  booked: Omit<LedgerTransaction, 'id'>,
): Promise<string> {
  const id = ctx.newId('ltx');
  await transactionStatement(db, ctx.now, { id, ...booked });
  return id;
}

/** The same as a statement, where what follows is sent behind it without waiting. */
export function transactionStatement(
  db: Db,
  now: Date,
  { id, kind, reference, book, entries }: LedgerTransaction,
): Sending {
  const test = book === 'test';
  const moving = entries.filter(({ cents }) => cents !== 0);
  assert(moving.every(({ cents }) => Number.isSafeInteger(cents)));
  // Balances are locked in this order by everybody, so that no two transactions wait for each other.
  const sorted = moving.toSorted((a, b) => (a.account < b.account ? -1 : 1));
  return db`
    with booked as (
      insert into ledger_transaction (id, kind, reference, test, at)
      values (${id}, ${kind}, ${reference}, ${test}, ${now})
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
    select ${id}, account, ${test}, cents from entry order by position`;
}
