import { randomInt } from 'node:crypto';
import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { DAY_MS } from '../../core/time.ts';
import { takeFromWindow } from '../../metering/rate-window.ts';
import { wasProven, type Asked } from './proven-address.ts';

/** A code that is sent to somebody works for so long, only in the browser that asked for it, and gives so many tries. */
export const CODE_MINUTES = 10;
export const TRIES_MAX = 5;

/** What everybody asks for, and what is sent once strangers ask for so many that six digits could be guessed. */
const DIGITS = 6;
const DIGITS_UNDER_ATTACK = 12;

/** How many codes go to one contact in a day. */
export interface SendingLimits {
  /** For one address that asks. No address can use up what another has. */
  perAddress: number;
  /**
   * For all addresses together: nobody is to be pestered without end. An address from which the contact was proven before
   * is not among them, so that strangers with many addresses do not shut it out.
   */
  inAll: number;
}

/**
 * Counts one more sending to a contact, and gives the code for it, or how long to wait. What an address is refused counts
 * for no other: its own count comes first.
 */
export async function takeCode(
  tx: Db,
  deps: Pick<OperationDeps, 'secrets'>,
  asked: Asked,
  { perAddress, inAll }: SendingLimits,
  now: Date,
): Promise<{ code: string } | { retryAfterSeconds: number }> {
  const { contact, address } = asked;
  const ofAddress = { name: `${contact}/${address}`, max: perAddress, windowMs: DAY_MS };
  const own = await takeFromWindow(tx, ofAddress, now);
  if (!own.allowed) return { retryAfterSeconds: own.resetsInSeconds };
  if (await wasProven(tx, deps, asked, now)) return { code: randomCode(DIGITS) };
  const all = await takeFromWindow(tx, { name: contact, max: inAll, windowMs: DAY_MS }, now);
  if (!all.allowed) return { retryAfterSeconds: all.resetsInSeconds };
  return { code: randomCode(inAll - all.remaining > perAddress ? DIGITS_UNDER_ATTACK : DIGITS) };
}

function randomCode(digits: number): string {
  const half = () => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  return Array.from({ length: digits / DIGITS }, half).join(' ');
}

/** A code as it is compared: people type it with spaces and dashes. */
export function digitsOf(code: string): string {
  return code.replaceAll(/[\s-]/g, '');
}

/** What every message with a code says of it. */
export const CODE_RULES = `It works once, for ${CODE_MINUTES} minutes, and only in the browser that asked for it.`;
