import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { E164 } from '../../core/text/e164.ts';
import type { ReadCounts } from '../place-draft.ts';

/** One number in E.164 form, or null. No default country: a number without its `+` is not completed by guess. */
export function toE164(text: string): string | null {
  const written = text.trim();
  if (!written.startsWith('+')) return null;
  const parsed = parsePhoneNumberFromString(written);
  return parsed?.isValid() === true && E164.test(parsed.number) ? parsed.number : null;
}

/** The first usable number of several texts, each of which may hold more than one. The unusable are counted. */
export function firstPhone(
  texts: Iterable<string>,
  counts: Pick<ReadCounts, 'phones_dropped'>,
): string | null {
  let first: string | null = null;
  for (const text of texts) {
    for (const part of text.split(';')) {
      if (part.trim() === '') continue;
      const phone = toE164(part);
      if (phone === null) counts.phones_dropped++;
      first ??= phone;
    }
  }
  return first;
}
