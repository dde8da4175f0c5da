import { areaTerm } from '../areas/area-names.ts';
import { ordinaryKey, term } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { findAreas, mayBeginArea } from './find-area.ts';
import { knownPhrase, NOTHING } from './known-phrase.ts';
import { partOf, requestedPart, soldPart } from './part.ts';
import type { KnownPhrase, Part, Weight } from './phrase.ts';
import { scanPhrases, wordAt, type Tokens } from './tokens.ts';

const AREA_WORDS_MAX = 4;

/** Reads the parts of a text: in each group of words, what it requests of places in a scope. */
export function readParts(index: OpenIndex, tokens: Tokens, scope: number): Part[] {
  const parts: Part[] = [];
  let joins = false;
  let first: KnownPhrase = NOTHING;
  let [longest, areaMax] = [1, 0];
  scanPhrases<Part | 'stop'>(
    tokens,
    (at) => {
      const word = wordAt(tokens, at);
      first = knownPhrase(index, word);
      areaMax = mayBeginArea(index, scope, word) ? AREA_WORDS_MAX : 0;
      // Records may have kinds of two words that are not in the vocabulary.
      const isPair = first.longest === 1 && index.hasKind(`${word}_${wordAt(tokens, at + 1)}`);
      longest = isPair ? 2 : first.longest;
      return Math.max(longest, areaMax);
    },
    (text, from, to) => {
      const length = to - from;
      const phrase = length === 1 ? first : length <= longest ? knownPhrase(index, text) : NOTHING;
      if (phrase.soldAt.length > 0 && isAboutBuying(index, tokens))
        return soldPart(index, text, phrase, scope);
      const requested = phrase === NOTHING ? undefined : requestedPart(index, text, phrase, scope);
      if (requested !== undefined) return requested;
      const isPlain = length > 1 || (!first.isStopWord && text.length > 1);
      const areas = isPlain && length <= areaMax ? findAreas(index, scope, text) : [];
      if (areas.length > 0) return partOf(text, 'area', areas.map(areaTerm), areas);
      if (phrase.isStopWord || (length === 1 && phrase.joins)) return 'stop';
      return length > 1 ? undefined : { ...partOf(text, 'name', [], []), weight: weightOf(text, phrase) };
    },
    (part, _from, to) => {
      if (part === 'stop' || part === undefined) {
        joins ||= knownPhrase(index, wordAt(tokens, to - 1)).joins;
        return;
      }
      const last = parts.at(-1);
      const isEither = joins && last?.is === part.is && (part.is === 'kind' || part.is === 'cuisine');
      if (isEither) parts[parts.length - 1] = eitherOf(last, part);
      else parts.push(part);
      joins = false;
    },
  );
  return withoutStrayNumbers(withWholeKinds(parts));
}

/** Beside a cuisine or another kind, a snack bar may be the restaurant that is meant. */
function withWholeKinds(parts: Part[]): Part[] {
  if (parts.filter(({ is }) => is === 'cuisine' || is === 'kind').length < 2) return parts;
  const isPartial = ({ is, values }: Part) =>
    is === 'kind' && values.some((kind) => ordinaryKey(kind) !== undefined);
  return parts.map((part) =>
    isPartial(part) ? { ...part, terms: part.values.map((kind) => term('k', kind)) } : part,
  );
}

function isAboutBuying(index: OpenIndex, tokens: Tokens): boolean {
  return tokens.list.some((_, at) => knownPhrase(index, wordAt(tokens, at)).isBuying);
}

const NUMBER = /^\d+[a-z]?$/;
/** Longer numbers are postcodes. */
const HOUSE_NUMBER_MAX = 3;

function weightOf(text: string, { isPraise, isStreet }: KnownPhrase): Weight {
  if (isPraise) return 'minor';
  if (isStreet) return 'street';
  return NUMBER.test(text) ? 'number' : 'plain';
}

/** A short number is only a house number beside a street or a name: "10 best bars" does not request number 10. */
function withoutStrayNumbers(parts: Part[]): Part[] {
  const isStray = ({ text, weight }: Part) => weight === 'number' && text.length <= HOUSE_NUMBER_MAX;
  if (!parts.some(isStray)) return parts;
  const has = (is: Part['is']) =>
    parts.some((part) => part.is === is && (part.weight === 'plain' || part.weight === 'street'));
  if (has('name') || (has('area') && !has('kind') && !has('cuisine'))) return parts;
  return parts.map((part) => (isStray(part) ? { ...part, weight: 'minor' } : part));
}

/** Merges alternatives: "cafes and bars" requests either. */
function eitherOf(one: Part, other: Part): Part {
  return {
    ...one,
    text: `${one.text} ${other.text}`,
    words: [...one.words, ...other.words],
    terms: [...one.terms, ...other.terms],
    implied: [...one.implied, ...other.implied],
    values: [...one.values, ...other.values],
  };
}
