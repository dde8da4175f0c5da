import { wordsIn, wordsOf } from '../../core/text/fold.ts';
import { destinationKey, term } from '../store/keys.ts';
import { keep, type OpenIndex } from '../store/open-index.ts';
import type { KnownPhrase, Part } from './phrase.ts';
import { brandName } from './lexicon/vocabulary.ts';

export function partOf(
  text: string,
  is: Part['is'],
  terms: readonly string[],
  values: readonly string[],
): Part {
  return { text, words: wordsIn(text), terms, is, values, isPraise: false };
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

function makePart(index: OpenIndex, text: string, phrase: KnownPhrase, scope: number): Part | undefined {
  const { openNow, price } = phrase;
  // Stop words and praise are not read as brands: "Au" and "Best" are brands, but are hardly ever meant.
  const isOrdinary = phrase.isStopWord || phrase.isPraise;
  const brands = isOrdinary ? [] : phrase.brands.flatMap((one) => brandTerms(index, one, scope));
  const kinds = phrase.kinds.map(
    (chain) => chain.find((kind) => isIn(index, scope, term('k', kind))) ?? chain.at(-1) ?? '',
  );
  // A coffee shop is primarily a café, not any place that serves coffee.
  const isKind = kinds.some((kind) => isIn(index, scope, term('k', kind)));
  const sure = [...new Set(isKind ? kinds : [...kinds, ...phrase.cuisines])];
  const isWeak =
    sure.length === 0 &&
    phrase.weak.length > 0 &&
    phrase.brands.length === 0 &&
    !text.split(' ').every((word) => isIn(index, scope, term('w', word)));
  const all = isWeak ? phrase.weak : sure;
  const terms = [
    ...all.map((kind) => term('k', kind)),
    ...phrase.wishes.map((wish) => term('f', wish)),
    ...brands,
  ];
  if (terms.length === 0)
    return openNow
      ? partOf(text, 'open', [], [text])
      : price === undefined
        ? undefined
        : partOf(text, 'price', [], [price]);
  if (all.length > 0) return partOf(text, kinds.length > 0 || isWeak ? 'kind' : 'cuisine', terms, all);
  if (brands.length > 0) return partOf(text, 'brand', terms, phrase.brands);
  return partOf(text, 'wish', terms, phrase.wishes);
}

/** Returns terms for places of a brand, or, when the map does not record the brand, for places with its name. */
function brandTerms(index: OpenIndex, brand: string, scope: number): string[] {
  const own = term('b', brand);
  if (isIn(index, scope, own)) return [own];
  const [word, ...more] = wordsOf(brandName(index.store, brand));
  const named = word === undefined || more.length > 0 ? undefined : term('w', word);
  return named !== undefined && isIn(index, scope, named) ? [named] : [];
}

/** Returns all terms that match a part, in the name or by kind and location. */
export function partTerms({ terms, words }: Part): string[] {
  return [...terms, ...words.flatMap((word) => [term('w', word), term('p', word), term('s', word)])];
}

/** True for a request that is a term of places, unlike the open state and the price. */
export function isTerm({ is }: Part): boolean {
  return is !== 'open' && is !== 'price';
}

/** True when any place of a scope has a term. */
export function isIn({ store }: OpenIndex, scope: number, one: string): boolean {
  return store.lists.doesExist(destinationKey(scope) + one);
}
