import { CURRENCIES, currencyOf } from '../../../../directory/country/currency.ts';
import type { AreaLanguage } from '../language/area-language.ts';

/** Returns the currencies to choose from with their names, the country's own first. A stored one is always among them. */
export function currencyChoices(
  country: string,
  stored: string | undefined,
  { locale }: AreaLanguage,
): readonly (readonly [code: string, name: string])[] {
  const own = currencyOf(country);
  const codes = new Set(
    [own, stored, ...CURRENCIES.toSorted()].filter((code) => code !== undefined && code !== ''),
  );
  const names = new Intl.DisplayNames(locale, { type: 'currency' });
  return [...codes].map((code = '') => [code, `${code} · ${names.of(code) ?? code}`] as const);
}

/** Usual prices of a dish, where they are far from ten. */
const PRICES: Readonly<Record<string, number>> = {
  COP: 25_000,
  HUF: 3_500,
  IDR: 45_000,
  INR: 350,
  ISK: 3_200,
  JPY: 900,
  KRW: 9_000,
  MXN: 180,
  PHP: 280,
  THB: 90,
  TRY: 250,
  TWD: 180,
  VND: 65_000,
};

/** Returns the price of a dish as people there write it, such as 45.000. */
export function examplePrice(country: string, { locale }: AreaLanguage): string {
  const price = PRICES[currencyOf(country) ?? ''] ?? 9.5;
  const digits = Number.isInteger(price) ? 0 : 2;
  const format = new Intl.NumberFormat(`${locale.split('-u-')[0] ?? 'en'}-u-nu-latn`, {
    minimumFractionDigits: digits,
  });
  return format.format(price);
}
