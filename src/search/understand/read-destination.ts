import { fold } from '../../core/text/fold.ts';
import { countryNames } from '../../directory/country/country.ts';
import { guessDestination } from '../../directory/find-destination.ts';
import type { Destination, DestinationSnapshot } from '../../directory/destinations.ts';
import { term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { destinationNames, findNamedDestination, type NamedDestination } from './destination-names.ts';
import { findAreas } from './find-area.ts';
import { hasMeaning, knownPhrase } from './known-phrase.ts';
import { isIn } from './part.ts';
import { phraseOf, wordAt, wordsOfTokens, type Tokens } from './tokens.ts';

/** The index that a text is read with, and the part of it that is searched. */
export interface TextScope {
  index: OpenIndex;
  /** A destination number or the world. */
  scope: number;
  /** Destinations that the text may name. */
  destinations: DestinationSnapshot | undefined;
}

/** The destination of a text, with its number in the index. */
export interface Where extends NamedDestination {
  number: number;
  /** The misspelt word and the name that was meant. */
  corrected?: readonly [string, string];
}

/** Finds the destination that a text names, or else an airport code in it. */
export function readDestination(
  text: string,
  tokens: Tokens,
  { index, scope, destinations }: TextScope,
): Where | undefined {
  if (destinations === undefined) return undefined;
  const names = destinationNames(destinations);
  const isInScope = (destination: Destination) => {
    const number = numberOf(index, destination);
    return number !== undefined && (scope === WORLD || scope === number);
  };
  const named =
    findNamedDestination(
      names,
      tokens,
      ({ from, to, destination }) =>
        isInScope(destination) && (to - from > 1 || isNamedHere(index, tokens, from)),
    ) ?? findCode();
  const number = named && numberOf(index, named.destination);
  return named === undefined || number === undefined
    ? undefined
    : { ...named, to: withCountry(text, tokens, named), number };

  /** Finds an airport code ("hotels BCN"), either in capitals or not a word of any place name. */
  function findCode(): NamedDestination | undefined {
    for (const [from, word] of wordsOfTokens(tokens).entries()) {
      const { code = '' } = word.length === 3 ? knownPhrase(index, word) : {};
      const destination = names.bySlug.get(code);
      if (destination === undefined || !isInScope(destination)) continue;
      if (text.includes(word.toUpperCase()) || !isIn(index, WORLD, term('w', word)))
        return { from, to: from + 1, destination };
    }
    return undefined;
  }
}

const COUNTRY_WORDS_MAX = 4;

/** Takes in the country of a destination when it follows: "Ubud, Bali, Indonesia". A code counts in capitals. */
function withCountry(text: string, tokens: Tokens, { to, destination }: NamedDestination): number {
  if (to === tokens.list.length) return to;
  const { country, name } = destination;
  const names = countryNames(country).map(fold);
  for (let end = Math.min(tokens.list.length, to + COUNTRY_WORDS_MAX); end > to; end--) {
    const phrase = phraseOf(tokens, to, end);
    const isCode = phrase === country.toLowerCase() && new RegExp(`\\b${country}\\b`).test(text);
    if (isCode || (names.includes(phrase) && phrase !== fold(name))) return end;
  }
  return to;
}

/** Finds a word that may be the misspelt name of a destination. */
export function guessWhere(
  tokens: Tokens,
  index: OpenIndex,
  destinations: DestinationSnapshot,
): Where | undefined {
  const { byName } = destinationNames(destinations);
  for (const [from, word] of wordsOfTokens(tokens).entries()) {
    if (isIn(index, WORLD, term('w', word)) || isIn(index, WORLD, term('p', word))) continue;
    if (hasMeaning(knownPhrase(index, word))) continue;
    const destination = guessDestination(
      byName,
      word,
      (one) => numberOf(index, one) !== undefined,
    )?.destination;
    const number = destination && numberOf(index, destination);
    if (destination !== undefined && number !== undefined)
      return { from, to: from + 1, destination, number, corrected: [word, destination.name] };
  }
  return undefined;
}

/** True for a destination that is the beginning of an area name: Monaco-Ville is a part of Monaco. */
export function beginsLongerArea(index: OpenIndex, tokens: Tokens, { from, to, number }: Where): boolean {
  const ends = [to + 1, to + 2].filter((end) => end <= tokens.list.length);
  return ends.some((end) => findAreas(index, number, phraseOf(tokens, from, end)).length > 0);
}

/** True when a word is used as a destination. Words such as Nice or Bar only count after a stop word or at the end. */
function isNamedHere(index: OpenIndex, tokens: Tokens, at: number): boolean {
  const phrase = knownPhrase(index, wordAt(tokens, at));
  if (hasMeaning(phrase)) return at > 0 && knownPhrase(index, wordAt(tokens, at - 1)).isStopWord;
  return !(phrase.isStopWord || phrase.isPraise) || at === tokens.list.length - 1;
}

/** Returns the number of a destination in the index, if it has places. */
function numberOf(index: OpenIndex, { id }: Destination): number | undefined {
  const number = index.destinations.get(id)?.number;
  return number !== undefined && isIn(index, number, term('d', '')) ? number : undefined;
}
