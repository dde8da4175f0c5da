import { fold, wordsOf } from '../../core/text/fold.ts';
import { categoriesFor, categoryKey } from './synonyms.ts';
import {
  areaToken,
  countryToken,
  destinationToken,
  kindInAreaToken,
  kindToken,
  placeWordToken,
  unverifiedToken,
  wholeNameToken,
  wordToken,
} from './token.ts';

/** What is asked of the index, with names already resolved. Lists are alternatives. */
export interface Filters {
  destination?: number | undefined;
  country?: string | undefined;
  category?: string | undefined;
  cuisine?: string | undefined;
  area?: string | undefined;
  city?: string | undefined;
  cells?: readonly string[] | undefined;
}

/** What the index knows of words. */
export interface Vocabulary {
  /** Whether any place has this token. To ask for one is quicker than to search for places that have it and others. */
  has(token: string): boolean;
  /** Whether there are places of a kind at all: a word that no place is of is a name and nothing else. */
  hasKind(kind: string): boolean;
  /** The most frequent words of names that begin with a text. */
  completions(begun: string): readonly string[];
  /** Known words that a misspelt one may stand for. */
  corrections(word: string): readonly string[];
}

/**
 * The filters as FTS5 expressions, to be tried one after the other; undefined where there are none. An area and a kind
 * are one token together, which is quick. What people call an area may be stored as a city, so that comes next.
 */
export function filterStages(filters: Filters): (string | undefined)[] {
  const exact = filterExpression(filters, 'exact');
  const loose = filterExpression(filters, 'loose');
  return exact === loose ? [exact] : [exact, loose];
}

/** Places that the filters let through and whose hours nobody has verified. */
export function unverifiedExpression(filters: Filters & { destination: number }): string {
  return join([filterExpression(filters, 'loose'), quote(unverifiedToken(filters.destination))]) ?? '';
}

/** The places of a destination, whatever they are. */
export function destinationExpression(destination: number): string {
  return quote(destinationToken(destination));
}

function filterExpression(filters: Filters, areas: 'exact' | 'loose'): string | undefined {
  const { destination, country, category, cuisine, area, city, cells } = filters;
  const parts: (string | undefined)[] = [];
  if (country !== undefined) parts.push(quote(countryToken(country)));
  const kinds = [category, cuisine].filter((kind) => kind !== undefined).map(categoriesFor);
  const areaKey = area === undefined ? undefined : categoryKey(area);
  const together =
    areaKey !== undefined && destination !== undefined && kinds.length > 0 && areas === 'exact';
  for (const [i, alternatives] of kinds.entries()) {
    const tokenOf = (kind: string) =>
      together && i === 0 ? kindInAreaToken(kind, areaKey, destination) : kindToken(kind, destination);
    parts.push(anyOf(alternatives.map(tokenOf)));
  }
  if (areaKey !== undefined && !together) parts.push(areaIn(destination, area ?? '', areaKey));
  if (city !== undefined) parts.push(allOf(wordsOf(city).map((word) => placeWordToken(word, destination))));
  if (cells !== undefined) parts.push(anyOf(cells));
  if (destination !== undefined && kinds.length === 0 && area === undefined && city === undefined)
    parts.push(destinationExpression(destination));
  return join(parts);
}

function areaIn(destination: number | undefined, area: string, key: string): string | undefined {
  const words = allOf(wordsOf(area).map((word) => placeWordToken(word, destination)));
  if (destination === undefined || words === undefined) return words ?? '""';
  return `(${quote(areaToken(key, destination))} OR ${words})`;
}

/**
 * The ways in which words may match, from the best to the weakest: the whole name; what the place is, where the words
 * say only that; all words in the name; words in the name or what the place is and where; a longer last word.
 */
export function textStages(text: string, filters: Filters, vocabulary: Vocabulary): string[] {
  const words = wordsOf(text).slice(0, WORDS_MAX);
  if (words.length === 0) return [];
  const { destination } = filters;
  const rest = restOf(filters);
  const said = withoutSmallWords(words);
  const whole = wholeNameToken(fold(text));
  const named = words.map((word) => wordToken(word, destination));
  const meant = meanings(said, destination, vocabulary);
  const stages = [
    // A whole name is so rare that its list is short everywhere; only then is the destination looked at.
    vocabulary.has(whole)
      ? join([quote(whole), destination === undefined ? undefined : destinationExpression(destination), rest])
      : undefined,
    kindsOnly(said, destination, vocabulary, rest),
    named.every((token) => vocabulary.has(token))
      ? join([...named.map((token) => anyOf([token])), rest])
      : undefined,
    meant === undefined ? undefined : join([...meant, rest]),
    longerStage(said, destination, vocabulary, rest),
  ];
  // Words that have one meaning only would be looked for twice.
  return [...new Set(stages.filter((stage) => stage !== undefined))];
}

/** The same with other words in place of the misspelt ones. */
export function correctedStage(
  words: readonly (readonly string[])[],
  filters: Filters,
  vocabulary: Vocabulary,
): string | undefined {
  const { destination } = filters;
  const alternatives = words.map((spellings) =>
    anyOf(spellings.flatMap((word) => meaningsOf(word, destination, vocabulary))),
  );
  return join([...alternatives, filterExpression(filters, 'loose')]);
}

const WORDS_MAX = 8;

/** Words that tie a sentence together. They may be part of a name, and say nothing about what is looked for. */
const SMALL_WORDS = new Set('a an at around best close good in near nearby of the to'.split(' '));

export function withoutSmallWords(words: readonly string[]): readonly string[] {
  const said = words.filter((word) => !SMALL_WORDS.has(word));
  return said.length === 0 ? words : said;
}

/** Words that only say what kind of place is meant: then a beach comes before a hotel with a beach in its name. */
function kindsOnly(
  words: readonly string[],
  destination: number | undefined,
  vocabulary: Vocabulary,
  rest: string | undefined,
): string | undefined {
  const parts: (string | undefined)[] = [];
  for (let i = 0; i < words.length; i++) {
    const pair = pairAt(words, i, vocabulary);
    const kinds =
      pair.length > 0 ? pair : categoriesFor(words[i] ?? '').filter((kind) => vocabulary.hasKind(kind));
    if (kinds.length === 0) return undefined;
    // The word itself is meant before what it may stand for: somebody who says doctor can do without the pharmacies.
    const own = kinds.filter((kind) => kind === words[i]);
    if (pair.length > 0) i++;
    parts.push(anyOf((own.length > 0 ? own : kinds).map((kind) => kindToken(kind, destination))));
  }
  return join([...parts, rest]);
}

/** Two words together that are a kind, such as "coffee shop". */
function pairAt(words: readonly string[], at: number, vocabulary: Vocabulary): string[] {
  const [word = '', next] = words.slice(at, at + 2);
  return next === undefined
    ? []
    : categoriesFor(`${word} ${next}`).filter((kind) => vocabulary.hasKind(kind));
}

/**
 * Each word, or two together, as part of a name, as a kind of place, or as part of an area; undefined where no place has
 * one of them in any way.
 */
function meanings(
  words: readonly string[],
  destination: number | undefined,
  vocabulary: Vocabulary,
): string[] | undefined {
  const parts: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const pair = pairAt(words, i, vocabulary).map((kind) => kindToken(kind, destination));
    const tokens = pair.length > 0 ? pair : meaningsOf(words[i] ?? '', destination, vocabulary);
    const part = anyOf(tokens.filter((token) => vocabulary.has(token)));
    if (part === undefined) return undefined;
    parts.push(part);
    if (pair.length > 0) i++;
  }
  return parts;
}

function meaningsOf(word: string, destination: number | undefined, vocabulary: Vocabulary): string[] {
  const kinds = categoriesFor(word)
    .filter((kind) => vocabulary.hasKind(kind))
    .map((kind) => kindToken(kind, destination));
  return [wordToken(word, destination), ...kinds, placeWordToken(word, destination)];
}

/** The last word only begun, as the frequent words that it may become: a few lists, read only as far as needed. */
function longerStage(
  words: readonly string[],
  destination: number | undefined,
  vocabulary: Vocabulary,
  rest: string | undefined,
): string | undefined {
  const last = words.at(-1) ?? '';
  const longer = vocabulary.completions(last).map((word) => wordToken(word, destination));
  const others = meanings(words.slice(0, -1), destination, vocabulary);
  return longer.length === 0 || others === undefined ? undefined : join([...others, anyOf(longer), rest]);
}

/**
 * The last word only begun, whatever it becomes. All lists of all such words are merged before the first place is
 * found, so this is for texts that nothing else matches. One letter is not enough of a word.
 */
export function begunStage(text: string, filters: Filters, vocabulary: Vocabulary): string | undefined {
  const words = withoutSmallWords(wordsOf(text).slice(0, WORDS_MAX));
  const last = words.at(-1) ?? '';
  if (last.length < 2) return undefined;
  const { destination } = filters;
  const others = meanings(words.slice(0, -1), destination, vocabulary);
  if (others === undefined) return undefined;
  return join([...others, `${quote(wordToken(last, destination))} *`, restOf(filters)]);
}

/** The filters beside words, which name the destination themselves. */
function restOf(filters: Filters): string | undefined {
  const { category, cuisine, area, city } = filters;
  const scoped = category !== undefined || cuisine !== undefined || area !== undefined || city !== undefined;
  return filterExpression(scoped ? filters : { ...filters, destination: undefined }, 'loose');
}

function anyOf(tokens: readonly string[]): string | undefined {
  return tokens.length === 0 ? undefined : `(${tokens.map(quote).join(' OR ')})`;
}

function allOf(tokens: readonly string[]): string | undefined {
  return tokens.length === 0 ? undefined : `(${tokens.map(quote).join(' AND ')})`;
}

function join(parts: readonly (string | undefined)[]): string | undefined {
  const kept = parts.filter((part) => part !== undefined && part !== '');
  return kept.length === 0 ? undefined : kept.join(' AND ');
}

function quote(token: string): string {
  return `"${token.replaceAll('"', '')}"`;
}
