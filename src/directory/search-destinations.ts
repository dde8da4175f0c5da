import { remember } from '../core/memory/remember.ts';
import { fold, isUnspaced } from '../core/text/fold.ts';
import { countryNames, readCountry } from './country/country.ts';
import { findDestination, guessDestination } from './find-destination.ts';
import type { Destination, DestinationSnapshot } from './destinations.ts';

export interface FoundDestinations {
  /** What was typed. */
  text: string;
  /** The nearest first. */
  destinations: Destination[];
  /** Nothing is called so; these are called nearly so. */
  isGuess: boolean;
}

/** Shorter ones stand in the middle of too many names. */
const INSIDE_MIN = 4;

/**
 * The destinations that somebody may mean who types a name, the beginning of one, or a country under any of its names.
 * Names that are only like the text are taken where no name is.
 */
export function searchDestinations(snapshot: DestinationSnapshot, text: string): FoundDestinations {
  const wanted = fold(text);
  if (wanted === '') return { text: '', destinations: [], isGuess: false };
  const asked = { wanted, words: wanted.split(' '), country: readCountry(text) };
  const named = findDestination(snapshot, text);
  const ranked = snapshot.destinations
    .map((destination) => ({ destination, rank: destination === named ? 0 : rankOf(destination, asked) }))
    .filter(({ rank }) => rank < NOWHERE);
  // What stands in the middle of a name counts only where nothing begins so, and other countries only where none is named.
  const best = Math.min(...ranked.map(({ rank }) => rank));
  const last = best <= OF_COUNTRY ? BEGUN : best < INSIDE ? INSIDE - 1 : INSIDE;
  const taken = ranked.filter(({ rank }) => rank <= last);
  const destinations = taken
    .sort((a, b) => a.rank - b.rank || b.destination.places - a.destination.places)
    .map(({ destination }) => destination);
  if (destinations.length > 0) return { text: text.trim(), destinations, isGuess: false };
  return { text: text.trim(), destinations: guess(snapshot, wanted), isGuess: true };
}

interface Wanted {
  wanted: string;
  words: readonly string[];
  country: string | undefined;
}

const OF_COUNTRY = 1;
const BEGUN = 3;
const INSIDE = 6;
const NOWHERE = 7;

function rankOf(destination: Destination, { wanted, words, country }: Wanted): number {
  const [name = '', ...others] = [destination.name, ...destination.other_names].map(fold);
  const ofCountry = namesOfCountry(destination.country);
  if (name === wanted || others.includes(wanted)) return 0;
  if (country === destination.country || ofCountry.includes(wanted)) return OF_COUNTRY;
  if (name.startsWith(wanted)) return 2;
  const own = [name, ...others];
  if (begins(own, words)) return BEGUN;
  if (ofCountry.some((one) => one.startsWith(wanted))) return 4;
  if (begins([...own, ...ofCountry], words)) return 5;
  const isLong = wanted.length >= INSIDE_MIN || isUnspaced(wanted);
  return isLong && own.some((one) => one.includes(wanted)) ? INSIDE : NOWHERE;
}

/** Whether each word begins a word of these names. */
function begins(names: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => names.some((name) => ` ${name}`.includes(` ${word}`)));
}

/** A misspelt destination, or the destinations of a misspelt country. */
function guess({ destinations }: DestinationSnapshot, wanted: string): Destination[] {
  const first = new Map([...destinations].reverse().map((one) => [one.country, one]));
  const countries = [...first].flatMap(([code, one]) =>
    namesOfCountry(code).map((name) => [name, one] as const),
  );
  const own = destinations.flatMap((one) =>
    [one.name, ...one.other_names].map((name) => [fold(name), one] as const),
  );
  const found = guessDestination([...own, ...countries], wanted);
  if (found === undefined) return [];
  const { destination, name } = found;
  const isCountry = !own.some(([known]) => known === name);
  return isCountry ? destinations.filter(({ country }) => country === destination.country) : [destination];
}

/** Languages of travellers; what a country calls itself comes from its own. */
const LANGUAGES = 'ar cs da de es fi fr he hi id it ja ko nl no pl pt ru sv th tr uk vi zh'.split(' ');
const COUNTRIES_MAX = 300;

/** Every name of a country, folded: in English all that are said, in other languages the usual one. */
const namesOfCountry = remember((code): readonly string[] => {
  const own = new Intl.Locale(`und-${code}`).maximize().language;
  const abroad = [own, ...LANGUAGES].map((language) =>
    new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code),
  );
  const all = [...countryNames(code), ...abroad].map((name) => fold(name ?? ''));
  return [...new Set(all)].filter((name) => name !== '');
}, COUNTRIES_MAX);
