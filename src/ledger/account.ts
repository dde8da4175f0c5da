/** Money, or the credit of the test checkout. No transaction mixes both. */
export type Book = 'money' | 'test';

/** Account names of each book, by purpose. The platform's own accounts have no holder. */
const NAMES = {
  money: {
    clearing: 'cash_clearing',
    wallet: 'agent_wallet',
    photographer: 'photographer_payable',
    platform: 'platform_revenue',
    refunds: 'refunds',
  },
  test: {
    clearing: 'test_clearing',
    wallet: 'agent_test',
    photographer: 'photographer_test',
    platform: 'platform_test',
    refunds: 'refunds_test',
  },
} as const;

/** Source and target of external payments: its balance is negative by the amount that has come in. */
export function clearingAccount(book: Book): string {
  return NAMES[book].clearing;
}

export function walletAccount(book: Book, agentId: string): string {
  return `${NAMES[book].wallet}:${agentId}`;
}

/** Earnings of a photographer that are not paid out yet. */
export function photographerAccount(book: Book, memberId: string): string {
  return `${NAMES[book].photographer}:${memberId}`;
}

export function platformAccount(book: Book): string {
  return NAMES[book].platform;
}

/** Refunds of money that had already been spent: a loss of the platform. */
export function refundsAccount(book: Book): string {
  return NAMES[book].refunds;
}
