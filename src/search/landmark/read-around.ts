import { fold, wordsIn } from '../../core/text/fold.ts';
import { wholeName } from '../build/place-terms.ts';
import { all, any, docsIn, type Expression } from '../query/expression.ts';
import { nameWordExpression } from '../query/word-terms.ts';
import { END } from '../store/list.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { findAreas } from '../understand/find-area.ts';
import { hasMeaning, knownPhrase } from '../understand/known-phrase.ts';
import { isIn } from '../understand/part.ts';
import type { Part } from '../understand/phrase.ts';
import type { TextReading } from '../understand/read-text.ts';
import { destinationNames } from '../understand/destination-names.ts';
import { asWritten, phraseOf, tokensOf, wordAt, type Tokens, type TokenSpan } from '../understand/tokens.ts';
import { findNear, mayBeNear, type NearWords } from './near-words.ts';
import { nearReadings, type NearReading } from './read-near.ts';
import type { FoundLandmark } from './landmark.ts';
import { FREEDOMS, resolveLandmark, type LandmarkScope } from './resolve-landmark.ts';

/** A text that asks for places near a landmark. */
export interface AroundText {
  /** The other words: the kind and the wishes. */
  rest: string;
  /** Undefined when no landmark has this name. */
  found: FoundLandmark | undefined;
  /** The name of the landmark as written. */
  name: string;
}

/** Reads a text as a search near a landmark; undefined for any other text, and for one that is a name itself. */
export function readAround(raw: string, within: LandmarkScope): AroundText | undefined {
  if (!mayBeNear(raw)) return undefined;
  const tokens = tokensOf(raw);
  if (tokens.list.length > TOKENS_MAX) return undefined;
  const near = findNear(raw, tokens);
  if (near === undefined || isName(within, raw)) return undefined;
  const { index } = within;
  const isKind = (phrase: string) => hasMeaning(knownPhrase(index, phrase));
  const readings = nearReadings(raw, tokens, near, isKind)
    .filter(
      (reading) => (!near.isSoft || isKind(fold(reading.rest))) && isDivided(within, tokens, near, reading),
    )
    .slice(0, READINGS_MAX);
  const names = readings.filter((reading) => !endsInWish(index, tokens, reading));
  const misspelt = (names.length > 0 ? names : readings).slice(0, MISSPELT_MAX);
  const isHere = ALONE.has(phraseOf(tokens, near.from, near.to)) && isHereFor(index, tokens, near);
  for (const freedom of near.isSoft || isHere ? FREEDOMS.slice(0, 1) : FREEDOMS)
    for (const { landmark, rest } of freedom.startsWith('misspelt') ? misspelt : readings) {
      const phrase = phraseOf(tokens, landmark.from, landmark.to);
      if (isWhere(within, phrase)) return undefined;
      if (isEmpty(index, tokens, landmark) || (isHere && phrase.split(' ').every(isKind))) continue;
      const found = resolveLandmark(within, phrase, freedom);
      if (found !== undefined && (found.isNamed || !(near.isSoft || isHere)))
        return { rest, found, name: asWritten(raw, phrase) };
    }
  if (near.isSoft || isHere || hasNameWith(within, raw)) return undefined;
  const unknown = names[0] ?? readings.at(-1);
  if (unknown === undefined || unknown.rest === '' || isEmpty(index, tokens, unknown.landmark))
    return undefined;
  const { from, to } = unknown.landmark;
  return { rest: unknown.rest, found: undefined, name: asWritten(raw, phraseOf(tokens, from, to)) };
}

/** Reads a kind and an area that has no place of it, or a kind and the name of a station, as a search near that. */
export function aroundArea(
  index: OpenIndex,
  { parts, scope }: TextReading,
  destinations: LandmarkScope['destinations'],
): AroundText | undefined {
  const wanted = parts.filter(({ is }) => is === 'kind' || is === 'cuisine' || is === 'brand');
  const isName = ({ is, weight }: Part) => is === 'name' && weight !== 'minor';
  const where = parts.filter((part) => part.is === 'area' || isName(part));
  const [area] = where;
  if (area === undefined || wanted.length === 0) return undefined;
  const isArea = area.is === 'area' && where.length === 1;
  if (!isArea && !where.every(isName)) return undefined;
  const conditions = [...(isArea ? where : []), ...wanted].map(({ terms, implied }) =>
    any([...terms, ...implied].filter((one) => isIn(index, scope, one))),
  );
  if (conditions.includes(undefined)) return undefined;
  if (isArea && docsIn(index, scope, { all: conditions as Expression[] }).seek(0) !== END) return undefined;
  const name = where.map(({ text }) => text).join(' ');
  const found = resolveLandmark({ index, scope, destinations }, name, 'exact');
  const isFound = isArea ? found?.isNamed === true : found?.isStation === true;
  const rest = parts.filter((part) => !where.includes(part)).map(({ text }) => text);
  return isFound ? { rest: rest.join(' '), found, name } : undefined;
}

/** A longer text is no search near a landmark; characters of scripts without spaces are tokens. */
const TOKENS_MAX = 40;
const READINGS_MAX = 8;
const MISSPELT_MAX = 2;
/** Words that mean near the traveller when a kind follows: "nearby restaurants". */
const ALONE = new Set(['nearby', 'dekat', 'deket']);

/** True when a kind follows words for nearness, and no kind precedes them. */
function isHereFor(index: OpenIndex, tokens: Tokens, { from, to }: NearWords): boolean {
  const isKind = (word: string) => {
    const { kinds, cuisines } = knownPhrase(index, word);
    return kinds.length > 0 || cuisines.length > 0;
  };
  for (let at = 0; at < from; at++) if (isKind(wordAt(tokens, at))) return false;
  return isKind(wordAt(tokens, to));
}

/**
 * True when the words between the landmark and the end of the text can be no part of its name: wishes, small words, a
 * town, or the kind when it does not stand on the other side.
 */
function isDivided(
  { index, scope, destinations }: LandmarkScope,
  tokens: Tokens,
  near: NearWords,
  { landmark }: NearReading,
): boolean {
  const isBehind = landmark.to <= near.from;
  const [from, to] = isBehind ? [0, landmark.from] : [landmark.to, tokens.list.length];
  const hasOther = isBehind ? near.to < tokens.list.length : near.from > 0;
  const edge = wordAt(tokens, isBehind ? landmark.from - 1 : from);
  const isCut =
    from === to ||
    knownPhrase(index, edge).isStopWord ||
    (!isBehind && tokens.list[landmark.to]?.apart === true);
  for (let at = from; at < to;) {
    let end = Math.min(to, at + PHRASE_MAX);
    while (end > at && !isRest(phraseOf(tokens, at, end))) end--;
    if (end === at) return false;
    at = end;
  }
  return true;

  function isRest(phrase: string): boolean {
    const known = knownPhrase(index, phrase);
    const { kinds, cuisines, wishes, openings, price, stars, isStopWord, isPraise, joins } = known;
    if (isStopWord || isPraise || joins || openings.length > 0 || wishes.length > 0) return true;
    if (price !== undefined || stars !== undefined) return true;
    if (kinds.length > 0 || cuisines.length > 0) return isCut || !hasOther;
    if (destinations !== undefined && destinationNames(destinations).byName.has(phrase)) return true;
    return isCut && findAreas(index, scope, phrase).length > 0;
  }
}

const PHRASE_MAX = 4;

/** True when a place in the scope has the whole text as its name: "The Shop Around the Corner". */
function isName({ index, scope }: LandmarkScope, raw: string): boolean {
  return docsIn(index, scope, { name: wholeName(fold(raw)) }).seek(0) !== END;
}

function hasNameWith({ index, scope }: LandmarkScope, raw: string): boolean {
  const words = wordsIn(fold(raw)).map((word) => nameWordExpression(index, word, scope));
  const expression = all(words);
  return expression !== undefined && docsIn(index, scope, expression).seek(0) !== END;
}

/** True for the destination that is searched, or for any when none is: its places are those in it. */
function isWhere({ index, scope, destinations }: LandmarkScope, phrase: string): boolean {
  const destination = destinations && destinationNames(destinations).byName.get(phrase);
  if (destination === undefined) return false;
  const searched = index.destination(scope);
  return searched === undefined || searched.id === destination.id;
}

function isEmpty(index: OpenIndex, tokens: Tokens, { from, to }: TokenSpan): boolean {
  for (let at = from; at < to; at++) if (!knownPhrase(index, wordAt(tokens, at)).isStopWord) return false;
  return true;
}

/** True when wishes follow the name: "near the old fort open now". */
function endsInWish(index: OpenIndex, tokens: Tokens, { landmark: { from, to } }: NearReading): boolean {
  for (let at = from + 1; at < to; at++) {
    const { wishes, openings, price } = knownPhrase(index, phraseOf(tokens, at, to));
    if (wishes.length > 0 || openings.length > 0 || price !== undefined) return true;
  }
  const last = tokens.list[to - 1];
  return last?.apart === true && to - from > 1;
}
