/** Formats an amount of money: 5.00 USD. */
export function usd(cents: number): string {
  return `${amountOf(cents)} USD`;
}

/** The same without its currency, for a field that states it separately: 5.00. */
export function amountOf(cents: number): string {
  return `${cents < 0 ? '−' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;
}

const AMOUNT = /^(\d{1,9})(?:[.,](\d{1,2}))?$/;

/**
 * Parses 5, 5.00 and 5,00 as 500 cents. Undefined for everything else: 1,000 may be a thousand or one, and nobody is
 * charged by a guess.
 */
export function centsOf(text: string): number | undefined {
  const [, whole, part = ''] = AMOUNT.exec(text.trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}
