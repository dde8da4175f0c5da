import type { Db } from '../core/postgres/db.ts';
import { walletAccount, type Book } from './account.ts';

/** What an agent holds, in US cents. */
export type WalletBalance = Record<Book, number>;

/** What an agent holds at this moment. */
export async function readWallet(db: Db, agentId: string): Promise<WalletBalance> {
  return balancesOf(
    agentId,
    await db<BalanceRow[]>`select id, balance_cents from ledger_account where holder_id = ${agentId}`,
  );
}

/**
 * The same, and nobody else moves it until the transaction ends. Purchases of one agent follow one another through this,
 * so that none is judged by a balance, a day's spending or a key that another is just changing.
 */
export async function lockWallet(db: Db, agentId: string): Promise<WalletBalance> {
  const ids = [walletAccount('money', agentId), walletAccount('test', agentId)];
  return balancesOf(
    agentId,
    await db<BalanceRow[]>`
      select id, balance_cents from ledger_account where id = any(${ids}) order by id for no key update`,
  );
}

/** The balance of one holder's account, locked; 0 when nothing was ever booked there. */
export async function lockBalance(db: Db, account: string): Promise<number> {
  const [row] = await db<BalanceRow[]>`
    select id, balance_cents from ledger_account where id = ${account} for no key update`;
  return Number(row?.balance_cents ?? 0);
}

interface BalanceRow {
  id: string;
  balance_cents: string;
}

function balancesOf(agentId: string, rows: readonly BalanceRow[]): WalletBalance {
  const of = (book: Book) =>
    Number(rows.find(({ id }) => id === walletAccount(book, agentId))?.balance_cents ?? 0);
  return { money: of('money'), test: of('test') };
}
