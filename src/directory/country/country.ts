import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
// The front door of the library loads the names of countries in eighty languages; ours are in a file of their own.
import countries from 'i18n-iso-countries/index.js';
import { whenNeeded } from '../../core/memory/when-needed.ts';
import { fold } from '../../core/text/fold.ts';

export const COUNTRY_NAMES_FILE = join(import.meta.dirname, 'country-names.tsv');

/** By ISO 3166 alpha-2 code: the English names, that first which a traveller would say. `npm run countries` writes them. */
const names = whenNeeded(() => {
  const lines = readFileSync(COUNTRY_NAMES_FILE, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => line.split('\t')).map(([code = '', ...all]) => [code, all]));
});

/** The English name of a country by its ISO 3166 alpha-2 code, as a traveller would say it. */
export function countryName(code: string): string {
  const [name = code] = names().get(code) ?? [];
  return name.replace(/ SAR China$/, '');
}

/** All English names of a country by its ISO 3166 alpha-2 code. */
export function countryNames(code: string): readonly string[] {
  return names().get(code) ?? [];
}

/** By the plain form of every English name: the country, or undefined where two have it. */
const byName = whenNeeded(() => {
  const found = new Map<string, string | undefined>();
  for (const [code, all] of names())
    for (const key of new Set(all.map(plainName)))
      found.set(key, found.has(key) && found.get(key) !== code ? undefined : code);
  return found;
});

/** Some apostrophes are letters to Unicode. */
const LETTER_MARKS = /[\p{Lm}\ua78b\ua78c]/gu;
const FILLERS = new Set(['the', 'and']);

/** A name without accents, marks, spaces and fillers: Viet Nam is Vietnam, and Côte d'Ivoire has any apostrophe. */
function plainName(text: string): string {
  const words = fold(text.replaceAll('&', ' and ').replaceAll(LETTER_MARKS, '')).split(' ');
  return words
    .filter((word) => !FILLERS.has(word))
    .map((word) => (word === 'st' ? 'saint' : word))
    .join('');
}

/** The ISO 3166 alpha-2 code for a code in any case or an English name; undefined for what names none or two. */
export function readCountry(text: string): string | undefined {
  const word = text.trim();
  const code = word.toUpperCase();
  if (word.length === 2 && countries.isValid(code)) return code;
  const key = plainName(word);
  if (byName().has(key)) return byName().get(key);
  return word.length === 3 ? countries.alpha3ToAlpha2(code) : undefined;
}

/** The country that a text names where other names are meant as well: there a code may be the beginning of anything. */
export function countryNamed(text: string): string | undefined {
  return text.trim().length > 3 ? readCountry(text) : undefined;
}

/** A country as somebody says it, read as its code. */
export const countryArgument = z
  .string()
  .trim()
  .max(60)
  .overwrite((text) => readCountry(text) ?? text)
  .refine((text) => readCountry(text) !== undefined, {
    error: 'must be an ISO 3166 alpha-2 code or the English name of one country',
    params: { code: 'unknown_country' },
  })
  .describe('ISO 3166 code or English name.');
