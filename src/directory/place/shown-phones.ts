import { isOfOtherCountry } from '../../core/text/e164.ts';
import { labelled, quoteUntrusted } from '../../core/text/tool-text.ts';
import type { Facts } from './facts.ts';
import type { Place } from './place.ts';

export interface ShownPhones {
  /** In E.164 form. */
  phone: string | null;
  phone_other_country?: true | undefined;
  phone_as_published?: string | undefined;
}

/** Returns the numbers of a place as every answer shows them. */
export function shownPhones({
  phone,
  country,
  facts,
}: Pick<Place, 'phone' | 'country' | 'facts'>): ShownPhones {
  return {
    phone,
    phone_other_country: isOfOtherCountry(phone, country) ? true : undefined,
    phone_as_published: facts.phone_as_published,
  };
}

/** Returns the facts without the number, which answers show beside the phone number. */
export function factsBeside({
  phone_as_published: _shown,
  ...facts
}: Facts): Omit<Facts, 'phone_as_published'> {
  return facts;
}

/** Says beside a number that it is of another country than the place. */
export const OTHER_COUNTRY = 'a number of another country';

/** Says what a number as published lacks. Some have a country code that cannot be right. */
export function publishedNote(written: string): string {
  return /^\s*(?:\+|00)/.test(written)
    ? 'as published, not a valid international number'
    : 'as published, without a country code';
}

/** The numbers for a text, each under its label. */
export function phoneTexts({
  phone,
  phone_other_country,
  phone_as_published: written,
}: ShownPhones): (string | null)[] {
  return [
    labelled(phone_other_country === true ? `Phone, ${OTHER_COUNTRY}` : 'Phone', phone),
    written === undefined ? null : labelled(`Phone, ${publishedNote(written)}`, quoteUntrusted(written)),
  ];
}
