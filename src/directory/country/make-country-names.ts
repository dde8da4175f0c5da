import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import countries from 'i18n-iso-countries/index.js';
import { PACKAGES, readPackage } from '../../core/read-package.ts';
import { COUNTRY_NAMES_FILE } from './country.ts';
import ownNames from './own-names.json' with { type: 'json' };

const CLDR = 'cldr-localenames-full/main';
const LATIN_ENGLISH = /^en(-[A-Z0-9]{2,3})?$/;

/** Common names that neither source has. */
const OWN: Readonly<Record<string, readonly string[]>> = ownNames;

/** English names of every country by ISO 3166 alpha-2 code, those of Unicode CLDR first, as the most common. */
export function makeCountryNames(): string {
  const cldr = cldrNames();
  const iso = readPackage('i18n-iso-countries/langs/en.json') as {
    countries: Record<string, string | string[]>;
  };
  const lines = Object.keys(countries.getAlpha2Codes())
    .sort()
    .map((code) => {
      const names = [...(cldr.get(code) ?? []), ...[iso.countries[code] ?? []].flat(), ...(OWN[code] ?? [])];
      return [code, ...new Set(names)].join('\t');
    });
  return `${lines.join('\n')}\n`;
}

/** Names of each territory in every English locale, including short and alternative forms. */
export function cldrNames(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  const locales = readdirSync(join(PACKAGES, CLDR)).filter((locale) => LATIN_ENGLISH.test(locale));
  for (const locale of locales.sort()) {
    const file = readPackage(`${CLDR}/${locale}/territories.json`) as {
      main: Record<string, { localeDisplayNames: { territories: Record<string, string> } }>;
    };
    const { territories } = file.main[locale]?.localeDisplayNames ?? { territories: {} };
    for (const [key, name] of Object.entries(territories)) {
      const [code = ''] = key.split('-alt-');
      if (countries.isValid(code)) names.set(code, [...(names.get(code) ?? []), name]);
    }
  }
  return names;
}

if (import.meta.main) writeFileSync(COUNTRY_NAMES_FILE, makeCountryNames());
