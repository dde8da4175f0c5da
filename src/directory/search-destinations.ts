import { memoizeText } from '../core/memory/memoize-text.ts';
import { fold, isUnspaced } from '../core/text/fold.ts';
import { countryNames, readCountry } from './country/country.ts';
import { findDestination, foldedNames, guessDestination } from './find-destination.ts';
import { withPlaces, type Destination, type DestinationSnapshot } from './destinations.ts';

export interface FoundDestinations {
  text: string;
  /** Best match first. */
  destinations: Destination[];
  /** True when no name matches and these are only similar. */
  isGuess: boolean;
}

/** Minimum length of a match inside a name: shorter texts occur in too many names. */
const INSIDE_MIN = 4;

/** Finds destinations with places by the beginning of a name or by country; by similar names only where none matches. */
export function searchDestinations(all: DestinationSnapshot, text: string): FoundDestinations {
  const snapshot = { ...all, destinations: withPlaces(all.destinations) };
  const folded = fold(text);
  if (folded === '') return { text: '', destinations: [], isGuess: false };
  const query = { folded, words: folded.split(' '), country: readCountry(text) };
  const named = findDestination(snapshot, text);
  const ranked = snapshot.destinations
    .map((destination) => ({ destination, rank: destination === named ? 0 : rankOf(destination, query) }))
    .filter(({ rank }) => rank < NOWHERE);
  // A match inside a name counts only where no name begins with the text, and other countries only where none is named.
  const best = Math.min(...ranked.map(({ rank }) => rank));
  const last = best <= OF_COUNTRY ? BEGUN : best < INSIDE ? INSIDE - 1 : INSIDE;
  const matches = ranked.filter(({ rank }) => rank <= last);
  const destinations = matches
    .sort((a, b) => a.rank - b.rank || b.destination.places - a.destination.places)
    .map(({ destination }) => destination);
  if (destinations.length > 0) return { text: text.trim(), destinations, isGuess: false };
  return { text: text.trim(), destinations: guess(snapshot, folded), isGuess: true };
}

interface Query {
  folded: string;
  words: readonly string[];
  country: string | undefined;
}

const OF_COUNTRY = 1;
const BEGUN = 3;
const INSIDE = 6;
const NOWHERE = 7;

function rankOf(destination: Destination, { folded, words, country }: Query): number {
  const [name = '', ...others] = [destination.name, ...destination.other_names].map(fold);
  const ofCountry = namesOfCountry(destination.country);
  if (name === folded || others.includes(folded)) return 0;
  if (country === destination.country || ofCountry.includes(folded)) return OF_COUNTRY;
  if (name.startsWith(folded)) return 2;
  const own = [name, ...others];
  if (begins(own, words)) return BEGUN;
  if (ofCountry.some((name) => name.startsWith(folded))) return 4;
  if (begins([...own, ...ofCountry], words)) return 5;
  const isLong = folded.length >= INSIDE_MIN || isUnspaced(folded);
  return isLong && own.some((name) => name.includes(folded)) ? INSIDE : NOWHERE;
}

function begins(names: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => names.some((name) => ` ${name}`.includes(` ${word}`)));
}

function guess(snapshot: DestinationSnapshot, folded: string): Destination[] {
  const { destinations } = snapshot;
  const first = new Map([...destinations].reverse().map((destination) => [destination.country, destination]));
  const countries = [...first].flatMap(([code, destination]) =>
    namesOfCountry(code).map((name) => [name, destination] as const),
  );
  const own = foldedNames(snapshot);
  const match = guessDestination([...own, ...countries], folded);
  if (match === undefined) return [];
  const { destination, name } = match;
  const isCountry = !own.some(([ownName]) => ownName === name);
  return isCountry ? destinations.filter(({ country }) => country === destination.country) : [destination];
}

/** Languages of travellers. A country's own language is added to them. */
const LANGUAGES = 'ar cs da de es fi fr he hi id it ja ko nl no pl pt ru sv th tr uk vi zh'.split(' ');
const COUNTRIES_MAX = 300;

/** Every name of a country, folded: all English names, and the usual name in other languages. */
const namesOfCountry = memoizeText((code): readonly string[] => {
  const own = new Intl.Locale(`und-${code}`).maximize().language;
  const abroad = [own, ...LANGUAGES].map((language) =>
    new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code),
  );
  const all = [...countryNames(code), ...abroad].map((name) => fold(name ?? ''));
  return [...new Set(all)].filter((name) => name !== '');
}, COUNTRIES_MAX);
