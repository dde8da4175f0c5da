import { randomInt } from 'node:crypto';
import type { Db } from '../../core/postgres/db.ts';
import type { AddressGroup } from '../../core/text/address-group.ts';
import { DAY_MS } from '../../core/time.ts';
import { takeFromWindows } from '../../metering/rate-window.ts';

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
  /** For all addresses together: nobody is to be pestered without end. */
  inAll: number;
}

/** Counts one more sending to a contact, and gives the code for it, or how long to wait. */
export async function takeCode(
  tx: Db,
  contact: string,
  address: AddressGroup,
  { perAddress, inAll }: SendingLimits,
  now: Date,
): Promise<{ code: string } | { retryAfterSeconds: number }> {
  const taken = await takeFromWindows(
    tx,
    [
      { name: `${contact}/${address}`, max: perAddress, windowMs: DAY_MS },
      { name: contact, max: inAll, windowMs: DAY_MS },
    ],
    now,
  );
  const full = taken.find((one) => one?.allowed === false);
  if (full !== undefined) return { retryAfterSeconds: full.resetsInSeconds };
  const sent = inAll - (taken[1]?.remaining ?? 0);
  return { code: randomCode(sent > perAddress ? DIGITS_UNDER_ATTACK : DIGITS) };
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
