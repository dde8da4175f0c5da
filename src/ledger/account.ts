/** Money, or the credit of the test checkout. No transaction holds both. */
export type Book = 'money' | 'test';

/** The accounts of a book, by what they are for. Those of the house carry no holder. */
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

/** Where payments come from and go back to: it stands below zero by as much as has come in. */
export function clearingAccount(book: Book): string {
  return NAMES[book].clearing;
}

export function walletAccount(book: Book, agentId: string): string {
  return `${NAMES[book].wallet}:${agentId}`;
}

/** What a photographer has earned and was not paid yet. */
export function photographerAccount(book: Book, memberId: string): string {
  return `${NAMES[book].photographer}:${memberId}`;
}

export function platformAccount(book: Book): string {
  return NAMES[book].platform;
}

/** What was paid back although it had been spent: the loss is the platform's. */
export function refundsAccount(book: Book): string {
  return NAMES[book].refunds;
}
