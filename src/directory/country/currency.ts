import currencies from './currencies.json' with { type: 'json' };

/** Countries by the currency that people pay with there, from Unicode CLDR 48. */
const byCountry = new Map(
  Object.entries(currencies).flatMap(([currency, countries]) =>
    countries.split(' ').map((country) => [country, currency] as const),
  ),
);

export const CURRENCIES: readonly string[] = Object.keys(currencies);

/** Returns the ISO 4217 code of the currency of a country; undefined where it has none of its own. */
export function currencyOf(country: string): string | undefined {
  return byCountry.get(country);
}
