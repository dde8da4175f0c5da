import { z } from 'zod';

export const usdField = z.literal('USD').describe('US dollars.');

export function usd(cents: number): string {
  return `${amountOf(cents)} USD`;
}

export function amountOf(cents: number): string {
  return `${cents < 0 ? '−' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;
}

const AMOUNT = /^(\d{1,9})(?:[.,](\d{1,2}))?$/;

/** Parses 5, 5.00 and 5,00 as 500 cents. Undefined for everything ambiguous, such as 1,000. */
export function centsOf(text: string): number | undefined {
  const [, whole, part = ''] = AMOUNT.exec(text.trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}
