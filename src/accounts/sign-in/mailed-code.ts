import { randomInt } from 'node:crypto';
import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { DAY_MS } from '../../core/time.ts';
import { takeFromWindow } from '../../metering/rate-window.ts';
import { isAddressProven, type CodeRequest } from './proven-address.ts';

/** Lifetime of a mailed code, which works only in the browser that requested it, and its maximum number of tries. */
export const CODE_MINUTES = 10;
export const TRIES_MAX = 5;

/** Normal code length, and the length used once strangers have requested so many that six digits could be guessed. */
const DIGITS = 6;
const DIGITS_UNDER_ATTACK = 12;

export interface SendingLimits {
  /** Limit per requesting address. No address can use up the quota of another. */
  perAddress: number;
  /** Limit for all addresses together. Addresses that proved the contact before are exempt from it. */
  total: number;
}

/** Returns the next code, or the time to wait. Requests over the address limit do not count for the shared one. */
export async function issueMailedCode(
  tx: Db,
  deps: Pick<OperationDeps, 'secrets'>,
  request: CodeRequest,
  { perAddress, total }: SendingLimits,
  now: Date,
): Promise<{ code: string } | { retryAfterSeconds: number }> {
  const { contact, address } = request;
  const ofAddress = { name: `${contact}/${address}`, max: perAddress, windowMs: DAY_MS };
  const own = await takeFromWindow(tx, ofAddress, now);
  if (!own.allowed) return { retryAfterSeconds: own.resetsInSeconds };
  if (await isAddressProven(tx, deps, request, now)) return { code: randomCode(DIGITS) };
  const all = await takeFromWindow(tx, { name: contact, max: total, windowMs: DAY_MS }, now);
  if (!all.allowed) return { retryAfterSeconds: all.resetsInSeconds };
  return { code: randomCode(total - all.remaining > perAddress ? DIGITS_UNDER_ATTACK : DIGITS) };
}

function randomCode(digits: number): string {
  const half = () => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  return Array.from({ length: digits / DIGITS }, half).join(' ');
}

/** Normalizes a code for comparison: people type it with spaces and dashes. */
export function digitsOf(code: string): string {
  return code.replaceAll(/[\s-]/g, '');
}

export const CODE_RULES = `It works once, for ${CODE_MINUTES} minutes, and only in the browser that asked for it.`;
