import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { E164 } from '../../core/text/e164.ts';
import type { ReadCounts } from '../place-draft.ts';

export const PHONE_KEYS = ['phone', 'contact:phone', 'mobile', 'contact:mobile'];

// Separators that are always between two numbers, and those that may also be inside one, as in +49 30/1234567.
const BETWEEN = /[;,|\n]/;
const PERHAPS_BETWEEN = /\/|(?<=\d\)?)\s+(?:or|ou|oder|o|e|et|und|and|y)\s+/i;
/** Number with its country code, with any text around it. Much of the world dials `00` for the `+`. */
const INTERNATIONAL = /(?:\+\s*(?:00\s*)?|^[^\d+]*00\s*(?=[\s()]*[1-9]))([\d\s().\-‐‑‒–/]+)/u;
/** Zero that is dialled only inside the country. */
const TRUNK_ZERO = /\(\s*0\s*\)/;

/** Returns one number in E.164 form, or null. There is no default country: a missing country code is not guessed. */
function toE164(text: string): string | null {
  const digits = INTERNATIONAL.exec(text.normalize('NFKC'))?.[1];
  if (digits === undefined) return null;
  return validNumber(digits) ?? validNumber(digits.replace(TRUNK_ZERO, ' '));
}

function validNumber(digits: string): string | null {
  const parsed = parsePhoneNumberFromString(`+${digits.replaceAll(/[^\d\s./-]/g, ' ').trim()}`);
  return parsed?.isValid() === true && E164.test(parsed.number) ? parsed.number : null;
}

function numbersIn(text: string): (string | null)[] {
  const parts = text.split(BETWEEN).filter((part) => part.trim() !== '');
  return parts.flatMap((part) => {
    const pieces = part.split(PERHAPS_BETWEEN).filter((piece) => piece.trim() !== '');
    const several = pieces.map(toE164);
    if (pieces.length < 2 || several.some((phone) => phone !== null)) return several;
    return [toE164(part)];
  });
}

/** Returns the first usable number of texts with one or several each. Unusable ones are counted. */
export function firstPhone(
  texts: Iterable<string>,
  counts: Pick<ReadCounts, 'phones_dropped'>,
): string | null {
  let first: string | null = null;
  for (const text of texts) {
    for (const phone of numbersIn(text)) {
      if (phone === null) counts.phones_dropped++;
      first ??= phone;
    }
  }
  return first;
}
