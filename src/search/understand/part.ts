import { wordsIn, wordsOf } from '../../core/text/fold.ts';
import { destinationKey, term } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import type { KnownPhrase } from './known-phrase.ts';
import { brandName } from './vocabulary.ts';

/** Some words of a text that belong together, and what they ask for. */
export interface Part {
  /** The words, folded. */
  text: string;
  /** As names are indexed by them. */
  words: readonly string[];
  /** Terms of which a place has one if it is meant by more than its name. */
  terms: readonly string[];
  is: 'name' | 'kind' | 'cuisine' | 'brand' | 'wish' | 'area' | 'open' | 'price';
  /** What it is called in the answer: kinds, an area, a brand by its number, a price range. */
  values: readonly string[];
  isPraise: boolean;
}

const KEPT_MAX = 20_000;

export function partOf(
  text: string,
  is: Part['is'],
  terms: readonly string[],
  values: readonly string[],
): Part {
  return { text, words: wordsIn(text), terms, is, values, isPraise: false };
}

/** What a phrase asks for in a scope; kept for as long as nothing changes. */
export function meantPart(
  index: OpenIndex,
  text: string,
  known: KnownPhrase,
  scope: number,
): Part | undefined {
  const key = `${scope} ${text}`;
  const kept = index.parts.get(key);
  if (kept !== undefined || index.parts.has(key)) return kept;
  const made = makePart(index, text, known, scope);
  if (index.parts.size >= KEPT_MAX) index.parts.clear();
  index.parts.set(key, made);
  return made;
}

function makePart(index: OpenIndex, text: string, known: KnownPhrase, scope: number): Part | undefined {
  const { openNow, price } = known;
  // Au and Best are brands too, and hardly ever meant.
  const isOrdinary = known.isSmall || known.isPraise;
  const brands = isOrdinary ? [] : known.brands.flatMap((one) => brandTerms(index, one, scope));
  const kinds = known.kinds.map(
    (chain) => chain.find((kind) => isIn(index, scope, term('k', kind))) ?? chain.at(-1) ?? '',
  );
  // Coffee shops are cafés before anything else where somebody drinks coffee.
  const isKind = kinds.some((kind) => isIn(index, scope, term('k', kind)));
  const sure = [...new Set(isKind ? kinds : [...kinds, ...known.cuisines])];
  const isWeak =
    sure.length === 0 &&
    known.weak.length > 0 &&
    known.brands.length === 0 &&
    !text.split(' ').every((word) => isIn(index, scope, term('w', word)));
  const all = isWeak ? known.weak : sure;
  const terms = [
    ...all.map((kind) => term('k', kind)),
    ...known.wishes.map((wish) => term('f', wish)),
    ...brands,
  ];
  if (terms.length === 0)
    return openNow
      ? partOf(text, 'open', [], [text])
      : price === undefined
        ? undefined
        : partOf(text, 'price', [], [price]);
  if (all.length > 0) return partOf(text, kinds.length > 0 || isWeak ? 'kind' : 'cuisine', terms, all);
  if (brands.length > 0) return partOf(text, 'brand', terms, known.brands);
  return partOf(text, 'wish', terms, known.wishes);
}

/** Places of a brand; where the map does not say whose they are, those that are called as it writes itself. */
function brandTerms(index: OpenIndex, brand: string, scope: number): string[] {
  const own = term('b', brand);
  if (isIn(index, scope, own)) return [own];
  const [word, ...more] = wordsOf(brandName(index.store, brand));
  const named = word === undefined || more.length > 0 ? undefined : term('w', word);
  return named !== undefined && isIn(index, scope, named) ? [named] : [];
}

/** Whether any place of a scope has a term. */
export function isIn({ store }: OpenIndex, scope: number, one: string): boolean {
  return store.lists.doesExist(destinationKey(scope) + one);
}
