import type { Db } from '../core/postgres/db.ts';
import { walletAccount, type Book } from './account.ts';

/** Balances of an agent, in US cents. */
export type WalletBalance = Record<Book, number>;

export async function readWallet(db: Db, agentId: string): Promise<WalletBalance> {
  return balancesOf(
    agentId,
    await db<BalanceRow[]>`select id, balance_cents from ledger_account where holder_id = ${agentId}`,
  );
}

/** Reads and locks the balances, which serializes the purchases of one agent. */
export async function lockWallet(db: Db, agentId: string): Promise<WalletBalance> {
  const ids = [walletAccount('money', agentId), walletAccount('test', agentId)];
  return balancesOf(
    agentId,
    await db<BalanceRow[]>`
      select id, balance_cents from ledger_account where id = any(${ids}) order by id for no key update`,
  );
}

/** Balance of one holder's account, locked; 0 when nothing was ever booked there. */
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
