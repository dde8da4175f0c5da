import { flat } from './words.ts';

/** Names that people use and that no dictionary of regions gives first. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  czechrepublic: 'CZ',
  turkey: 'TR',
  holland: 'NL',
  uk: 'GB',
};

const CODES = new Map(
  Array.from({ length: 26 * 26 }, (_, i) => String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26)))
    .map((code): [string, string] => [letters(regionName(code)), code])
    .filter(([name, code]) => name !== letters(code)),
);

function regionName(code: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
}

function letters(text: string): string {
  return flat(text).replaceAll(/[^a-z]/g, '');
}

/** The code of a country, as anybody knows it who has learned geography. */
export function countryCode(name: string): string | undefined {
  const known = letters(name);
  return OTHER_NAMES[known] ?? CODES.get(known);
}
