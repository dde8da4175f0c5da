import { fold, isUnspaced } from '../../core/text/fold.ts';
import type { Destination, DestinationSnapshot } from '../../directory/destinations.ts';
import { term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { areaTerm } from '../areas/area-names.ts';
import { beginsArea, findAreas } from './find-area.ts';
import { guessDestination } from '../../directory/find-destination.ts';
import { destinationNames, type DestinationNames } from './destination-names.ts';
import type { KnownPhrase, Part } from './phrase.ts';
import { knownPhrase, NOTHING } from './known-phrase.ts';
import { isIn, requestedPart, partOf } from './part.ts';
import { tokensOf } from './tokens.ts';

/** A parsed search text. */
export interface TextReading {
  text: string;
  /** The folded text with a misspelt destination corrected; undefined when it contains emoji, which no name has. */
  searchText: string | undefined;
  /** Scope that is searched. */
  scope: number;
  destination: { slug: string; number: number } | undefined;
  /** The text without the destination. */
  rest: string;
  parts: readonly Part[];
  /** A misspelt destination and its name. */
  corrected: readonly (readonly [string, string])[];
}

const WORDS_MAX = 12;
const AREA_WORDS_MAX = 4;
const PICTURE = /^\p{Extended_Pictographic}/u;

interface Where {
  from: number;
  to: number;
  destination: Destination;
  number: number;
  corrected?: readonly [string, string];
}

/** Parses a text for a search in a scope. */
export function readText(
  index: OpenIndex,
  text: string,
  requestedScope: number,
  snapshot: DestinationSnapshot | undefined,
): TextReading {
  const names = snapshot === undefined ? undefined : destinationNames(snapshot);
  const isKnown = (word: string) => isWord(index, word, requestedScope, names);
  const folded = fold(text);
  const tokens = tokensOf(text, folded, isKnown).slice(0, WORDS_MAX);
  const where = names === undefined ? undefined : findDestination(index, tokens, requestedScope, names, text);
  return reading(index, text, folded, tokens, requestedScope, where);
}

/** Parses the text again with a word corrected to a destination, if one may have been misspelt. */
export function guessReading(
  index: OpenIndex,
  read: TextReading,
  snapshot: DestinationSnapshot | undefined,
): TextReading | undefined {
  if (read.destination !== undefined || read.scope !== WORLD || snapshot === undefined) return undefined;
  const names = destinationNames(snapshot);
  const folded = fold(read.text);
  const tokens = tokensOf(read.text, folded, (word) => isWord(index, word, read.scope, names)).slice(
    0,
    WORDS_MAX,
  );
  for (const [from, token] of tokens.entries()) {
    if (isIn(index, WORLD, term('w', token)) || isIn(index, WORLD, term('p', token))) continue;
    if (hasMeaning(knownPhrase(index, token))) continue;
    const guess = guessDestination(names.byName, token, (one) => numberOf(index, one) !== undefined);
    const number = guess && numberOf(index, guess.destination);
    if (guess === undefined || number === undefined) continue;
    const { destination } = guess;
    const corrected = [token, destination.name] as const;
    return reading(index, read.text, folded, tokens, read.scope, {
      from,
      to: from + 1,
      destination,
      number,
      corrected,
    });
  }
  return undefined;
}

function reading(
  index: OpenIndex,
  text: string,
  folded: string,
  tokens: readonly string[],
  requestedScope: number,
  where: Where | undefined,
): TextReading {
  const hasPictures = text !== folded && PICTURE.test(tokens.at(-1) ?? '');
  const correction = where?.corrected?.[1];
  const searchText =
    correction === undefined
      ? folded
      : tokens.map((token, at) => (at === where?.from ? fold(correction) : token)).join(' ');
  const rest =
    where === undefined || beginsLongerArea(index, tokens, where)
      ? tokens
      : [...tokens.slice(0, where.from), ...tokens.slice(where.to)];
  const scope = where?.number ?? requestedScope;
  return {
    text,
    searchText: hasPictures ? undefined : searchText,
    scope,
    destination: where && { slug: where.destination.slug, number: where.number },
    rest: rest.join(' '),
    parts: partsOf(index, rest, scope),
    corrected: where?.corrected === undefined ? [] : [where.corrected],
  };
}

function isWord(index: OpenIndex, word: string, scope: number, names: DestinationNames | undefined): boolean {
  const phrase = knownPhrase(index, word);
  if (phrase.isStopWord || hasMeaning(phrase) || phrase.brands.length > 0) return true;
  if (Array.from(word).length < 2) return false;
  return names?.byName.has(word) === true || findAreas(index, scope, word).length > 0;
}

function hasMeaning(phrase: KnownPhrase): boolean {
  const { kinds, cuisines, wishes, openNow, price } = phrase;
  return kinds.length > 0 || cuisines.length > 0 || wishes.length > 0 || openNow || price !== undefined;
}

/** Returns the number of a destination in the index, if it has places. */
function numberOf(index: OpenIndex, { id }: Destination): number | undefined {
  const number = index.destinations.get(id)?.number;
  return number !== undefined && isIn(index, number, term('d', '')) ? number : undefined;
}

/** Finds the longest destination name in the text, the last one of equal length. */
function findDestination(
  index: OpenIndex,
  tokens: readonly string[],
  requestedScope: number,
  names: DestinationNames,
  text: string,
): Where | undefined {
  let best: Where | undefined;
  for (const [from, token] of tokens.entries()) {
    for (let to = Math.min(tokens.length, from + (names.longest.get(token) ?? 0)); to > from; to--) {
      const destination = names.byName.get(tokens.slice(from, to).join(' '));
      if (destination === undefined || (best !== undefined && to - from < best.to - best.from)) continue;
      const number = numberOf(index, destination);
      if (number === undefined || (requestedScope !== WORLD && requestedScope !== number)) continue;
      if (to - from === 1 && !isNamedHere(index, tokens, from)) continue;
      best = { from, to, destination, number };
      break;
    }
  }
  return best ?? findCode(index, tokens, requestedScope, names, text);
}

/** True for a destination that is the beginning of an area name: Monaco-Ville is a part of Monaco. */
function beginsLongerArea(index: OpenIndex, tokens: readonly string[], { from, to, number }: Where): boolean {
  const ends = [to + 1, to + 2].filter((end) => end <= tokens.length);
  return ends.some((end) => findAreas(index, number, tokens.slice(from, end).join(' ')).length > 0);
}

/** True when a word is used as a destination. Words such as Nice or Bar only count after a stop word or at the end. */
function isNamedHere(index: OpenIndex, tokens: readonly string[], at: number): boolean {
  const phrase = knownPhrase(index, tokens[at] ?? '');
  if (hasMeaning(phrase)) return at > 0 && knownPhrase(index, tokens[at - 1] ?? '').isStopWord;
  return !(phrase.isStopWord || phrase.isPraise) || at === tokens.length - 1;
}

/** Finds an airport code ("hotels BCN"), either in capitals or not a word of any place name. */
function findCode(
  index: OpenIndex,
  tokens: readonly string[],
  requestedScope: number,
  names: DestinationNames,
  text: string,
): Where | undefined {
  for (const [from, token] of tokens.entries()) {
    if (token.length !== 3) continue;
    const { code } = knownPhrase(index, token);
    const destination = code === undefined ? undefined : names.bySlug.get(code);
    const number = destination && numberOf(index, destination);
    if (
      destination === undefined ||
      number === undefined ||
      (requestedScope !== WORLD && requestedScope !== number)
    )
      continue;
    if (!text.includes(token.toUpperCase()) && isIn(index, WORLD, term('w', token))) continue;
    return { from, to: from + 1, destination, number };
  }
  return undefined;
}

function partsOf(index: OpenIndex, tokens: readonly string[], scope: number): Part[] {
  const parts: Part[] = [];
  let joins = false;
  for (let at = 0; at < tokens.length;) {
    const { part, length } = partAt(index, tokens, at, scope);
    at += length;
    if (part === undefined) {
      joins ||= knownPhrase(index, tokens[at - 1] ?? '').joins;
      continue;
    }
    const last = parts.at(-1);
    const isEither = joins && last?.is === part.is && (part.is === 'kind' || part.is === 'cuisine');
    if (isEither) parts[parts.length - 1] = eitherOf(last, part);
    else parts.push(part);
    joins = false;
  }
  return parts;
}

/** Merges alternatives: "cafes and bars" requests either. */
function eitherOf(one: Part, other: Part): Part {
  return {
    ...one,
    text: `${one.text} ${other.text}`,
    words: [...one.words, ...other.words],
    terms: [...one.terms, ...other.terms],
    values: [...one.values, ...other.values],
  };
}

interface PartAt {
  part: Part | undefined;
  length: number;
}

function partAt(index: OpenIndex, tokens: readonly string[], at: number, scope: number): PartAt {
  const first = knownPhrase(index, tokens[at] ?? '');
  const remaining = tokens.length - at;
  const word = tokens[at] ?? '';
  const mayBeArea = isIn(index, scope, term('p', word)) || isUnspaced(word) || beginsArea(index, word);
  const areaMax = mayBeArea ? AREA_WORDS_MAX : 0;
  // Records may have kinds of two words that are not in the vocabulary.
  const isPair = first.longest === 1 && remaining > 1 && index.hasKind(`${word}_${tokens[at + 1] ?? ''}`);
  const longest = isPair ? 2 : first.longest;
  for (let length = Math.min(remaining, Math.max(longest, areaMax, 1)); length > 0; length--) {
    const text = length === 1 ? (tokens[at] ?? '') : tokens.slice(at, at + length).join(' ');
    const phrase = length === 1 ? first : length <= longest ? knownPhrase(index, text) : undefined;
    const requested =
      phrase === undefined || phrase === NOTHING ? undefined : requestedPart(index, text, phrase, scope);
    if (requested !== undefined) return { part: requested, length };
    const isPlain = length > 1 || (!first.isStopWord && text.length > 1);
    const areas = isPlain && length <= areaMax ? findAreas(index, scope, text) : [];
    if (areas.length > 0) return { part: partOf(text, 'area', areas.map(areaTerm), areas), length };
    if (length > 1 && phrase?.isStopWord === true) return { part: undefined, length };
  }
  const text = tokens[at] ?? '';
  if (first.isStopWord || first.joins) return { part: undefined, length: 1 };
  return { part: { ...partOf(text, 'name', [], []), isPraise: first.isPraise }, length: 1 };
}
