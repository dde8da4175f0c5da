import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { E164 } from '../../core/text/e164.ts';
import type { ReadCounts } from '../place-draft.ts';
import { tidySpaces } from './names.ts';

export const PHONE_KEYS = ['phone', 'contact:phone', 'mobile', 'contact:mobile'];

// Separators that are always between two numbers, and those that may also be inside one, as in +49 30/1234567.
const BETWEEN = /[;,|\n]/;
const PERHAPS_BETWEEN = /\/|(?<=\d\)?)\s+(?:or|ou|oder|o|e|et|und|and|y)\s+/i;
/** Number with its country code, with any text around it. Much of the world dials `00` for the `+`. */
const INTERNATIONAL = /(?:\+\s*(?:00\s*)?|^[^\d+]*00\s*(?=[\s()]*[1-9]))([\d\s().\-‐‑‒–/]+)/u;
/** Zero that is dialled only inside the country. */
const TRUNK_ZERO = /\(\s*0\s*\)/;

/** Longest form of a country code with an area code, such as +4935204. */
const AREA_CODE_MAX = 8;
/** Text that is shown as a number: short codes have three digits. Addresses of mail and pages are none. */
const PUBLISHABLE = /^(?=(?:\P{Nd}*\p{Nd}){3})(?!.*(?:@|:\/\/)).{3,}$/su;
const PUBLISHED_MAX = 120;
const NATIONAL_MIN = 5;

/** Returns one number in E.164 form, or null. There is no default country: a missing country code is not guessed. */
function toE164(text: string): string | null {
  const digits = INTERNATIONAL.exec(text.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''))?.[1];
  if (digits === undefined) return null;
  return validNumber(digits) ?? validNumber(digits.replace(TRUNK_ZERO, ' '));
}

function validNumber(digits: string): string | null {
  const parsed = parsePhoneNumberFromString(`+${digits.replaceAll(/[^\d\s./-]/g, ' ').trim()}`);
  return parsed?.isValid() === true && E164.test(parsed.number) ? parsed.number : null;
}

interface WrittenNumber {
  written: string;
  /** In E.164 form; null when the text is no complete international number. */
  phone: string | null;
}

function numbersIn(text: string): WrittenNumber[] {
  const parts = text.split(BETWEEN).filter((part) => part.trim() !== '');
  return parts.flatMap((part) => {
    const whole = { written: part, phone: toE164(part) };
    const pieces = part.split(PERHAPS_BETWEEN).filter((piece) => piece.trim() !== '');
    const several = pieces.map((written) => ({ written, phone: toE164(written) }));
    // The first piece of +49 35204/286124 is only an area code, though short numbers are valid in Germany.
    const isAreaCode = whole.phone !== null && (several[0]?.phone?.length ?? Infinity) <= AREA_CODE_MAX;
    const areSeveral = several.length > 1 && several.some(({ phone }) => phone !== null);
    return areSeveral && !isAreaCode ? several : [whole];
  });
}

export interface Phones {
  /** The first number in E.164 form. */
  phone: string | null;
  /** The texts that are no complete international number, as the source writes them. */
  phone_as_published: string | undefined;
}

/** Reads texts with one or several numbers each. The numbers that are kept as published are counted. */
export function readPhones(texts: Iterable<string>, counts: Pick<ReadCounts, 'phones_as_published'>): Phones {
  let first: string | null = null;
  const published = new Set<string>();
  for (const text of texts) {
    const numbers = numbersIn(text);
    const unread = numbers.filter(({ phone }) => phone === null).map(({ written }) => written);
    first ??= numbers.find(({ phone }) => phone !== null)?.phone ?? null;
    for (const written of unread.length === numbers.length ? [text] : unread)
      published.add(tidySpaces(written));
  }
  let phone_as_published: string | undefined;
  for (const written of published) {
    if (!PUBLISHABLE.test(written) || isSameNumber(first, written)) continue;
    const both = phone_as_published === undefined ? written : `${phone_as_published}; ${written}`;
    if (both.length > PUBLISHED_MAX) continue;
    phone_as_published = both;
    counts.phones_as_published++;
  }
  return { phone: first, phone_as_published };
}

/** True for a number that is published a second time, as it is dialled inside the country. */
function isSameNumber(phone: string | null, written: string): boolean {
  const national = written.replaceAll(/\D/g, '').replace(/^0+/, '');
  return phone !== null && national.length >= NATIONAL_MIN && phone.endsWith(national);
}
