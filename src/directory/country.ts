// The front door of the library loads the names of countries in eighty languages; here they are said in one.
import countries from 'i18n-iso-countries/index.js';
import { z } from 'zod';
import { whenNeeded } from '../core/memory/when-needed.ts';

const names = whenNeeded(() => new Intl.DisplayNames(['en'], { type: 'region' }));

/** The English name of a country by its ISO 3166 alpha-2 code, as a traveller would say it. */
export function countryName(code: string): string {
  return (names().of(code) ?? code).replace(/ SAR China$/, '');
}

/** A country as a filter: an ISO 3166 alpha-2 code in any case. */
export const countryFilter = z
  .string()
  .refine((text) => countries.isValid(text) && text.length === 2, {
    error: 'is not an ISO 3166 alpha-2 country code such as ID or fr',
    params: { code: 'unknown_country' },
  })
  .describe('ISO 3166 alpha-2 country code, in any case.');
