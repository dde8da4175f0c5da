import { wordsIn, wordsOf } from '../../core/text/fold.ts';
import { STAR_COUNTS } from '../../directory/place/facts.ts';
import { destinationKey, ordinaryKey, starsKey, term } from '../store/keys.ts';
import { keep, type OpenIndex } from '../store/open-index.ts';
import type { KnownPhrase, Part } from './phrase.ts';
import { brandName } from './lexicon/vocabulary.ts';
import { formsOf } from './word-forms.ts';

export function partOf(
  text: string,
  is: Part['is'],
  terms: readonly string[],
  values: readonly string[],
  implied: readonly string[] = [],
): Part {
  return { text, words: wordsIn(text), terms, implied, is, values, weight: 'plain' };
}

/** Returns what a phrase requests in a scope, cached until the index changes. */
export function requestedPart(
  index: OpenIndex,
  text: string,
  phrase: KnownPhrase,
  scope: number,
): Part | undefined {
  const key = `${scope} ${text}`;
  const cached = index.parts.get(key);
  if (cached !== undefined || index.parts.has(key)) return cached;
  return keep(index.parts, key, makePart(index, text, phrase, scope));
}

/** Returns the shops that sell a thing. Those that sell much else come last if others are in the scope. */
export function soldPart(index: OpenIndex, text: string, { soldAt }: KnownPhrase, scope: number): Part {
  const kindTerm = (kind: string) => term('k', kind);
  const specialized = soldAt.filter(([kind = '']) => isIn(index, scope, kindTerm(kind)));
  const kinds = kindsIn(index, specialized.length > 0 ? specialized : soldAt, scope);
  return partOf(text, 'kind', kinds.map(kindTerm), kinds, [...new Set(soldAt.flat())].map(kindTerm));
}

/** Returns the first kind of each chain that has places in the scope, or else the broadest. */
function kindsIn(index: OpenIndex, chains: KnownPhrase['kinds'], scope: number): string[] {
  return chains.map(
    (chain) => chain.find((kind) => isIn(index, scope, term('k', kind))) ?? chain.at(-1) ?? '',
  );
}

function makePart(index: OpenIndex, text: string, phrase: KnownPhrase, scope: number): Part | undefined {
  const { openings, price, stars } = phrase;
  if (stars !== undefined) return partOf(text, 'stars', starTerms(stars), [stars]);
  // "Au", "Best", "Avenue" and "3" are brands, but are hardly ever meant.
  const isOrdinary = phrase.isStopWord || phrase.isPraise || phrase.isStreet || DIGITS.test(text);
  // A chain without a place here, such as Pho, is not meant where a dish has its name.
  const isDish = phrase.cuisines.length > 0 || phrase.implied.length > 0;
  const brands = isOrdinary ? [] : phrase.brands.flatMap((one) => brandTerms(index, one, scope, !isDish));
  const kinds = kindsIn(index, phrase.kinds, scope);
  // A coffee shop is primarily a café, not any place that serves coffee.
  const isKind = kinds.some((kind) => isIn(index, scope, term('k', kind)));
  const sure = [...new Set(isKind ? kinds : [...kinds, ...phrase.cuisines])];
  const isWeak =
    sure.length === 0 &&
    phrase.weak.length > 0 &&
    phrase.brands.length === 0 &&
    !text.split(' ').every((word) => isIn(index, scope, term('w', word)));
  const all = isWeak ? phrase.weak : sure;
  const lesser: string[] = [];
  const terms = [
    ...all.map((kind) => {
      const [whole, ordinary] = [term('k', kind), ordinaryKey(kind)];
      if (ordinary === undefined || !isIn(index, scope, term('f', ordinary))) return whole;
      lesser.push(whole);
      return term('f', ordinary);
    }),
    ...phrase.wishes.map((wish) => term('f', wish)),
    ...brands,
  ];
  const implied = [...lesser, ...phrase.implied.map((kind) => term('k', kind))];
  if (terms.length === 0 && implied.length > 0) return partOf(text, 'cuisine', [], phrase.implied, implied);
  if (terms.length === 0)
    return openings.length > 0
      ? partOf(text, 'open', [], openings)
      : price === undefined
        ? undefined
        : partOf(text, 'price', [], [price]);
  if (all.length > 0)
    return partOf(text, kinds.length > 0 || isWeak ? 'kind' : 'cuisine', terms, all, implied);
  if (brands.length > 0) return partOf(text, 'brand', terms, phrase.brands);
  return partOf(text, 'wish', terms, phrase.wishes);
}

const DIGITS = /^\d+$/;

/** Returns the terms of hotels with so many stars, or, for `4+`, with at least four. */
function starTerms(stars: string): string[] {
  const least = Number.parseInt(stars, 10);
  const counts = stars.endsWith('+') ? STAR_COUNTS.filter((count) => count >= least) : [least];
  return counts.map((count) => term('f', starsKey(count)));
}

/** Returns terms for places of a brand, or, when the map does not record the brand, for places with its name. */
function brandTerms(index: OpenIndex, brand: string, scope: number, byName: boolean): string[] {
  const own = term('b', brand);
  if (isIn(index, scope, own)) return [own];
  if (!byName) return [];
  const [word, ...more] = wordsOf(brandName(index.store, brand));
  const named = word === undefined || more.length > 0 ? undefined : term('w', word);
  return named !== undefined && isIn(index, scope, named) ? [named] : [];
}

/** Returns all terms that match a part, in the name or by kind and location. */
export function partTerms(index: OpenIndex, { terms, implied, words, weight }: Part): string[] {
  const marks = weight === 'minor' ? NAME_ONLY : NAME_OR_LOCATION;
  const forms = words.flatMap((word) => [word, ...formsOf(index, word)]);
  return [...terms, ...implied, ...forms.flatMap((form) => marks.map((mark) => term(mark, form)))];
}

const NAME_ONLY = ['w'] as const;
const NAME_OR_LOCATION = ['w', 'p', 's'] as const;

/** True for a request that is a term of places, unlike the open state and the price. */
export function isTerm({ is }: Part): boolean {
  return is !== 'open' && is !== 'price';
}

/** True when any place of a scope has a term. */
export function isIn({ store }: OpenIndex, scope: number, one: string): boolean {
  return store.lists.doesExist(destinationKey(scope) + one);
}
