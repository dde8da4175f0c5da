import { fold } from '../../core/text/fold.ts';
import type { DestinationSnapshot } from '../../directory/destinations.ts';
import { WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { destinationNames } from './destination-names.ts';
import { findAreas } from './find-area.ts';
import { hasMeaning, knownPhrase } from './known-phrase.ts';
import type { Part } from './phrase.ts';
import { readQuestion, type AskedIn, type Question } from './question/read-question.ts';
import {
  beginsLongerArea,
  guessWhere,
  readDestination,
  type TextScope,
  type Where,
} from './read-destination.ts';
import { readOpenings } from './read-openings.ts';
import { readParts } from './read-parts.ts';
import { joinTokens, nameTokensOf, wordsOfTokens, type Tokens } from './tokens.ts';

export interface TextReading {
  text: string;
  /** The folded text with a misspelt destination corrected; undefined when it contains emoji, which no name has. */
  searchText: string | undefined;
  scope: number;
  destination: { slug: string; number: number } | undefined;
  /** The text without the destination. */
  rest: string;
  parts: readonly Part[];
  /** A misspelt destination and its name. */
  corrected: readonly (readonly [string, string])[];
}

const WORDS_MAX = 12;
const PICTURE = /^\p{Extended_Pictographic}/u;

/**
 * Reads a text: as a search, or, with `asked`, as a question about a destination, which has a language, a time, a party
 * size and negations too. Both use the same tokens, the same vocabulary and the same names.
 */
export function readText(text: string, scope: TextScope): TextReading;
export function readText(text: string, scope: TextScope, asked: AskedIn): Question;
export function readText(text: string, scope: TextScope, asked?: AskedIn): TextReading | Question {
  if (asked !== undefined) return readQuestion(text, (phrase) => knownPhrase(scope.index, phrase), asked);
  const tokens = searchTokens(text, scope);
  return readWith(text, tokens, scope, readDestination(text, tokens, scope));
}

/** Reads the text again with a word corrected to a destination, if one may have been misspelt. */
export function guessReading(
  index: OpenIndex,
  { text, scope: number, destination }: TextReading,
  destinations: DestinationSnapshot | undefined,
): TextReading | undefined {
  if (destination !== undefined || number !== WORLD || destinations === undefined) return undefined;
  const scope = { index, scope: number, destinations };
  const tokens = searchTokens(text, scope);
  const where = guessWhere(tokens, index, destinations);
  return where && readWith(text, tokens, scope, where);
}

function searchTokens(text: string, { index, scope, destinations }: TextScope): Tokens {
  const names = destinations && destinationNames(destinations);
  const { text: folded, list } = nameTokensOf(spellSigns(text), (word) => {
    const phrase = knownPhrase(index, word);
    if (phrase.isStopWord || hasMeaning(phrase) || phrase.brands.length > 0) return true;
    if (phrase.soldAt.length > 0 || phrase.isBuying) return true;
    if (Array.from(word).length < 2) return false;
    if (phrase.isPraise) return true;
    return names?.byName.has(word) === true || findAreas(index, scope, word).length > 0;
  });
  return { text: folded, list: list.slice(0, WORDS_MAX) };
}

function readWith(
  text: string,
  tokens: Tokens,
  { index, scope: requestedScope }: TextScope,
  where: Where | undefined,
): TextReading {
  const scope = where?.number ?? requestedScope;
  const isTaken = where !== undefined && !beginsLongerArea(index, tokens, where);
  const rest = isTaken
    ? joinTokens(wordsOfTokens(tokens).toSpliced(where.from, where.to - where.from))
    : tokens;
  return {
    text,
    searchText: searchTextOf(text, tokens, where),
    scope,
    destination: where && { slug: where.destination.slug, number: where.number },
    rest: wordsOfTokens(rest).join(' '),
    parts: readOpenings(text, readParts(index, rest, scope)),
    corrected: where?.corrected === undefined ? [] : [where.corrected],
  };
}

const SIGNS = /[*★☆⭐🌟-]|[A-Z]{2} \d|ster(?:ne|ren)hotel/u;
const STAR_PICTURE = /[★☆⭐🌟]/u;
const STARS_AFTER_NUMBER = /(?<=\d)\s?[*★☆⭐🌟]+/gu;
const STARS = /(?:[*★⭐🌟]\ufe0f?){2,7}/gu;
/** Code of a country before a postcode: D-10115, FL-9495. */
const COUNTRY_OF_POSTCODE = /(?<![\p{L}\p{N}])\p{L}{1,3}-(?=\d{4,5}(?![\p{L}\p{N}]))/gu;

/** "Viersternehotel", "viersterrenhotel". */
const STAR_COMPOUND = /(?<=ster(?:ne|ren))(?=hotel)/gu;
const APART_POSTCODE = /(?<![\p{L}\p{N}])([A-Z]{2}) (?=\d{3}(?![\p{L}\p{N}]))/gu;

/**
 * Replaces signs that folding would remove: "3*" and "***" are three stars. Postcodes lose the code of
 * their country, as in D-10115, or the space after it, as in AD 500.
 */
function spellSigns(text: string): string {
  if (!SIGNS.test(text)) return text;
  return text
    .replace(COUNTRY_OF_POSTCODE, '')
    .replace(APART_POSTCODE, '$1')
    .replace(STAR_COMPOUND, ' ')
    .replace(STARS_AFTER_NUMBER, ' stars ')
    .replace(STARS, (signs) => ` ${Array.from(signs.replaceAll('\ufe0f', '')).length} stars `);
}

/** Returns the text in which names are searched, with its signs as typed: "Sport Hotel 4*" is a name. */
function searchTextOf(text: string, tokens: Tokens, where: Where | undefined): string | undefined {
  const last = tokens.list.at(-1);
  if (last !== undefined && PICTURE.test(tokens.text.slice(last.from))) return undefined;
  if (spellSigns(text) !== text) return STAR_PICTURE.test(text) ? undefined : fold(text);
  return where?.corrected === undefined
    ? tokens.text
    : wordsOfTokens(tokens).with(where.from, fold(where.corrected[1])).join(' ');
}
