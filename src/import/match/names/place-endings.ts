import { countryNamesInAllLanguages } from '../../../directory/country/country-names.ts';
import { memoizeText } from '../../../core/memory/memoize-text.ts';
import type { MatchRecord } from '../match-record.ts';
import { latinWords } from './latin-words.ts';
import type { NameForm } from './name-forms.ts';
import { wordWeight } from './word-weight.ts';

/** Names of the towns, areas and countries around a record, with which sources extend the names of places. */
export interface Surroundings {
  /** Names of the town, the areas in it and the towns nearby. */
  readonly towns: readonly ReadonlySet<string>[];
  /** Names of the country and of the destination. */
  readonly regions: readonly ReadonlySet<string>[];
}

/** Name of which the places at the end may have been removed: "Hilton" of "Hilton Malta". */
export interface TrimmedForm extends NameForm {
  /** Names of towns and areas at the end of the full name. */
  readonly towns: ReadonlySet<string>;
  readonly isTrimmed: boolean;
}

/** Common short names of countries that Unicode CLDR does not list as their names. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  AE: 'UAE, Emirates',
  CZ: 'Czech Republic',
  GB: 'UK, GB, Great Britain, Britain, England, Scotland, Wales, Northern Ireland',
  HK: 'Hong Kong',
  MO: 'Macau, Macao',
  NL: 'Holland',
  TR: 'Turkey',
  US: 'USA, US, U.S.A., U.S., America',
};
const SAINTS = new Set('saint sankt sint san santa santo sao sant'.split(' '));
const WORDS_MAX = 5;
const noLocalWords: ReadonlySet<string> = new Set();

const KEYS_REMEMBERED = 20_000;
const namesOfCountry = new Map<string, ReadonlySet<string>>();
// The records of a destination share one list of its names, those of an area one list of its towns.
const sharedNames = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Returns the name as a key, without articles and with one spelling of saints; empty when no word is left. */
const keyOfName = memoizeText((name): string => keyOf(latinWords(name)), KEYS_REMEMBERED);

export function surroundingsOf({ country, destination, city, areas, towns }: MatchRecord): Surroundings {
  const own = keysOf(city == null ? (areas ?? []) : [city, ...(areas ?? [])]);
  const shared = (names: readonly string[] | undefined) =>
    names === undefined ? [] : [sharedNames.getOrInsertComputed(names, keysOf)];
  const ofCountry = country == null ? [] : [namesOfCountry.getOrInsertComputed(country, keysOfCountry)];
  return { towns: [own, ...shared(towns)], regions: [...ofCountry, ...shared(destination)] };
}

function keysOfCountry(country: string): ReadonlySet<string> {
  return keysOf([...countryNamesInAllLanguages(country), ...(SHORT_NAMES[country]?.split(', ') ?? [])]);
}

function keysOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(keyOfName).filter((key) => key !== ''));
}

function keyOf(words: readonly string[]): string {
  const significant = words.filter((word) => wordWeight(word, noLocalWords) > 0);
  return significant.map((word) => (SAINTS.has(word) ? 'st' : word)).join(' ');
}

/** Returns each form as it is and, if it ends with surrounding places, without them. */
export function trimmedForms(
  forms: readonly NameForm[],
  surroundings: readonly Surroundings[],
  local: ReadonlySet<string>,
): TrimmedForm[] {
  return forms.flatMap((form) => {
    const { words, towns } = withoutPlaces(form.words, surroundings);
    const whole = { ...form, towns, isTrimmed: false };
    const removed = form.words.slice(words.length);
    // "Hotel Malta" is not every hotel in Malta.
    if (removed.length === 0 || !words.some((word) => wordWeight(word, local) >= 1)) return [whole];
    const ending = removed.join('');
    const original = form.original.endsWith(ending) ? form.original.slice(0, -ending.length) : words.join('');
    return [whole, { ...whole, words, original, isTrimmed: true }];
  });
}

/** Returns the words without the places at the end. */
export function withoutPlaces(
  words: readonly string[],
  surroundings: readonly Surroundings[],
): { words: readonly string[]; towns: ReadonlySet<string> } {
  const towns = new Set<string>();
  let left = words;
  for (let size = Math.min(WORDS_MAX, left.length - 1); size > 0; size--) {
    const ending = keyOf(left.slice(-size));
    const isAmong = (lists: readonly ReadonlySet<string>[]) => lists.some((names) => names.has(ending));
    const isRegion = surroundings.some(({ regions }) => isAmong(regions));
    if (!isRegion && !surroundings.some((around) => isAmong(around.towns))) continue;
    if (!isRegion) towns.add(ending);
    left = left.slice(0, -size);
    size = Math.min(WORDS_MAX, left.length - 1) + 1;
  }
  return { words: left, towns };
}

/** True when the two names end with different towns, as those of two branches do. */
export function inOtherTowns(a: TrimmedForm, b: TrimmedForm): boolean {
  return a.towns.size > 0 && b.towns.size > 0 && a.towns.isDisjointFrom(b.towns);
}
