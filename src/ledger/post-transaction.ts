import assert from 'node:assert/strict';
import type { Db } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import type { Book } from './account.ts';

export interface Entry {
  account: string;
  /** What the account gains; below zero, what it loses. */
  cents: number;
}

export interface LedgerTransaction {
  /** Where the caller has to know it beforehand. */
  id?: string;
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
  { id = ctx.newId('ltx'), kind, reference, book, entries }: LedgerTransaction,
): Promise<string> {
  const test = book === 'test';
  const moving = entries.filter(({ cents }) => cents !== 0);
  assert(moving.every(({ cents }) => Number.isSafeInteger(cents)));
  // Balances are locked in this order by everybody, so that no two transactions wait for each other.
  const sorted = moving.toSorted((a, b) => (a.account < b.account ? -1 : 1));
  // Sent at once, not when somebody awaits it: what a caller sends afterwards may refer to it.
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
