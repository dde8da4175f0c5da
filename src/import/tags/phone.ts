import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { E164 } from '../../core/text/e164.ts';
import type { ReadCounts } from '../place-draft.ts';

/** The tags that hold numbers. */
export const PHONE_KEYS = ['phone', 'contact:phone', 'mobile', 'contact:mobile'];

// What always stands between two numbers, and what may also stand inside of one, as in +49 30/1234567.
const BETWEEN = /[;,|\n]/;
const PERHAPS_BETWEEN = /\/|(?<=\d\)?)\s+(?:or|ou|oder|o|e|et|und|and|y)\s+/i;
/** A number with its country, with whatever stands before and behind it. `00` is how much of the world dials the `+`. */
const INTERNATIONAL = /(?:\+\s*(?:00\s*)?|^[^\d+]*00\s*(?=[\s()]*[1-9]))([\d\s().\-‐‑‒–/]+)/u;
/** The zero that is dialled inside the country only. */
const TRUNK_ZERO = /\(\s*0\s*\)/;

/** One number in E.164 form, or null. No default country: a number without its own is not completed by guess. */
function toE164(text: string): string | null {
  const written = INTERNATIONAL.exec(text.normalize('NFKC'))?.[1];
  if (written === undefined) return null;
  return validNumber(written) ?? validNumber(written.replace(TRUNK_ZERO, ' '));
}

function validNumber(written: string): string | null {
  const parsed = parsePhoneNumberFromString(`+${written.replaceAll(/[^\d\s./-]/g, ' ').trim()}`);
  return parsed?.isValid() === true && E164.test(parsed.number) ? parsed.number : null;
}

/** The numbers of one text, null for each that cannot be used. */
function numbersIn(text: string): (string | null)[] {
  const parts = text.split(BETWEEN).filter((part) => part.trim() !== '');
  return parts.flatMap((part) => {
    const pieces = part.split(PERHAPS_BETWEEN).filter((piece) => piece.trim() !== '');
    const several = pieces.map(toE164);
    if (pieces.length < 2 || several.some((phone) => phone !== null)) return several;
    return [toE164(part)];
  });
}

/** The first usable number of several texts, each of which may hold more than one. The unusable are counted. */
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
