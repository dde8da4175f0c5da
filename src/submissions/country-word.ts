import countries from 'i18n-iso-countries/index.js';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };

countries.registerLocale(english);

/** Names that two countries answer to. */
const AMBIGUOUS = new Set(['congo', 'korea', 'virgin islands', 'saint martin', 'micronesia islands']);

/** The ISO 3166 alpha-2 code for a code in any case or an unambiguous English name; undefined for anything else. */
export function readCountry(text: string): string | undefined {
  const word = text.trim();
  if (word.length === 2 && countries.isValid(word)) return word.toUpperCase();
  if (AMBIGUOUS.has(word.toLowerCase())) return undefined;
  return countries.getSimpleAlpha2Code(word, 'en');
}
