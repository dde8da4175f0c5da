import { fold, wordsOf } from '../../core/text/fold.ts';
import { wholeName } from '../build/place-terms.ts';
import { areaTerm } from '../areas/area-names.ts';
import { destinationKey, term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { fewDocs, type Expression } from './expression.ts';
import type { Wish } from '../../directory/place/facts.ts';
import { begunWords, correct } from './spelling.ts';
import { categoriesFor, categoryKey } from './synonyms.ts';

/** What is asked of the index, with names already resolved. Lists are alternatives. */
export interface Filters {
  destination?: number | undefined;
  country?: string | undefined;
  category?: string | undefined;
  cuisine?: string | undefined;
  area?: string | undefined;
  /** The areas of the index that the name of the area stands for. */
  areas?: readonly string[] | undefined;
  city?: string | undefined;
  cells?: readonly string[] | undefined;
  /** Every one of them. */
  wishes?: readonly Wish[] | undefined;
}

/** One way of matching, in a destination or in the world. It is worked out when the better ones did not fill the page. */
export interface Stage {
  scope: number;
  /** Undefined where no place can match in this way. */
  wanted(): Expression | undefined;
}

const EVERYTHING = term('d', '');
const WORDS_MAX = 8;
const BEGUN_MAX = 64;
const FEW = 64;
const KINDS_KEPT = 20_000;

/** The filters as ways of matching: what people call an area may be stored as a city, so that comes next. */
export function filterStages(filters: Filters): Stage[] {
  const { destination, category, cuisine } = filters;
  const isKindInArea =
    isUnknown(filters) && destination !== undefined && (category !== undefined || cuisine !== undefined);
  const scope = scopeOf(filters);
  const loose = { scope, wanted: () => filterExpression(filters) };
  return isKindInArea ? [{ scope, wanted: () => all(filterParts(filters, 'exact')) }, loose] : [loose];
}

/** Whether an area is asked for that no place lies in by name: it may be the name of a city, or a part of a name. */
function isUnknown({ area, areas = [] }: Filters): boolean {
  return area !== undefined && areas.length === 0;
}

/** Squares of the map have lists in the world only. */
function scopeOf({ destination, cells }: Filters): number {
  return destination === undefined || cells !== undefined ? WORLD : destination;
}

/** The places that the filters let through, whatever they are called. */
export function filterExpression(filters: Filters): Expression {
  return all(filterParts(filters, 'loose')) ?? EVERYTHING;
}

function filterParts(filters: Filters, areas: 'exact' | 'loose'): Expression[] {
  const { country, category, cuisine, area, areas: named = [], city, cells, wishes = [] } = filters;
  const parts: (Expression | undefined)[] = [];
  if (named.length > 0) parts.push(any(named.map(areaTerm)));
  else if (area !== undefined) parts.push(areaPart(area, filters.destination, areas));
  for (const kind of [category, cuisine])
    if (kind !== undefined) parts.push(any(categoriesFor(kind).map((one) => term('k', one))));
  for (const wish of wishes) parts.push(term('f', wish));
  if (city !== undefined) parts.push(all(placeWords(city)));
  if (cells !== undefined) parts.push(any(cells));
  if (cells !== undefined && filters.destination !== undefined) parts.push(placesOf(filters.destination));
  if (country !== undefined) parts.push(term('c', country.toLowerCase()));
  return parts.filter((part) => part !== undefined);
}

function areaPart(
  area: string,
  destination: number | undefined,
  areas: 'exact' | 'loose',
): Expression | undefined {
  const exact = term('a', categoryKey(area));
  if (areas === 'exact') return exact;
  const words = all(placeWords(area));
  if (destination === undefined || words === undefined) return words ?? NOTHING;
  return { any: [exact, words] };
}

/** The places of a destination, in the world. */
export function placesOf(destination: number): string {
  return term('i', '') + destinationKey(destination);
}

const NOTHING: Expression = { any: [] };

function placeWords(text: string): Expression[] {
  return wordsOf(text).map((word) => term('p', word));
}

/**
 * The ways in which words may match, from the best to the weakest: the whole name; what the place is, where the words
 * say only that; all words in the name; words in the name or what the place is and where; a longer last word.
 */
export function textStages(index: OpenIndex, text: string, filters: Filters): Stage[] {
  const words = wordsOf(text).slice(0, WORDS_MAX);
  if (words.length === 0) return [];
  const scope = scopeOf(filters);
  const rest = filterParts(filters, 'loose');
  const said = withoutSmallWords(words);
  const filtered = (parts: readonly (Expression | undefined)[] | undefined): Expression | undefined =>
    parts === undefined || parts.includes(undefined) ? undefined : all([...(parts as Expression[]), ...rest]);
  const named = words.map((word) => term('w', word));
  const meant = once(() => {
    const parts = meanings(index, said, scope);
    // Words that have one meaning only would be looked for twice.
    return parts.every((part, i) => part === named[i]) ? undefined : filtered(parts);
  });
  // Whatever has all words in its name is among what has their meanings. Where that is little, it is looked for once.
  const few = once(() => {
    const wanted = isPaired(index, said) ? undefined : meant();
    return wanted === undefined ? undefined : fewDocs(index, scope, wanted, FEW);
  });
  const stages: (() => Expression | undefined)[] = [
    () => filtered([{ name: wholeName(fold(text)) }]),
    () => filtered(kindsOnly(index, said)),
    () => {
      const docs = few();
      return docs === undefined ? filtered(named) : all([{ docs }, ...named]);
    },
    () => {
      const docs = few();
      return docs === undefined ? meant() : { docs };
    },
    () => filtered(longer(index, said, scope)),
  ];
  return stages.map((wanted) => ({ scope, wanted }));
}

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The same with other words in place of the misspelt ones: of those that are known here nothing is corrected, unless none was found. */
export function correctedStage(
  index: OpenIndex,
  text: string,
  filters: Filters,
  nothingFound: boolean,
): Stage {
  const scope = scopeOf(filters);
  const isHere = (word: string) => meaningsOf(index, word).some((one) => isKnown(index, one, scope));
  return {
    scope,
    wanted: () => {
      const words = withoutSmallWords(wordsOf(text).slice(0, WORDS_MAX));
      const spellings = words.map((word) =>
        isHere(word) && !nothingFound ? [word] : [word, ...correct(index.store, word, isHere)],
      );
      if (spellings.every((one) => one.length === 1)) return undefined;
      const parts = spellings.map((one) => any(one.flatMap((word) => meaningsOf(index, word))));
      return all([...(parts as Expression[]), ...filterParts(filters, 'loose')]);
    },
  };
}

/** Words that tie a sentence together. They may be part of a name, and say nothing about what is looked for. */
const SMALL_WORDS = new Set('a an at around best close good in near nearby of the to'.split(' '));

export function withoutSmallWords(words: readonly string[]): readonly string[] {
  const said = words.filter((word) => !SMALL_WORDS.has(word));
  return said.length === 0 ? words : said;
}

/** Words that only say what kind of place is meant: then a beach comes before a hotel with a beach in its name. */
function kindsOnly(index: OpenIndex, words: readonly string[]): Expression[] | undefined {
  const parts: Expression[] = [];
  for (let i = 0; i < words.length; i++) {
    const pair = pairAt(index, words, i);
    const kinds = pair.length > 0 ? pair : kindsOf(index, words[i] ?? '');
    if (kinds.length === 0) return undefined;
    // The word itself is meant before what it may stand for: somebody who says doctor can do without the pharmacies.
    const own = kinds.filter((kind) => kind === words[i]);
    if (pair.length > 0) i++;
    parts.push({ any: (own.length > 0 ? own : kinds).map((kind) => term('k', kind)) });
  }
  return parts;
}

/** Kept for as long as there are the same kinds: nearly every search asks for its words and pairs of them. */
function kindsOf(index: OpenIndex, word: string): readonly string[] {
  let kinds = index.kindsOf.get(word);
  if (kinds === undefined) {
    kinds = categoriesFor(word).filter((kind) => index.hasKind(kind));
    if (index.kindsOf.size >= KINDS_KEPT) index.kindsOf.clear();
    index.kindsOf.set(word, kinds);
  }
  return kinds;
}

/** Two words together that are a kind, such as "coffee shop". */
function pairAt(index: OpenIndex, words: readonly string[], at: number): readonly string[] {
  const [word = '', next] = words.slice(at, at + 2);
  return next === undefined ? [] : kindsOf(index, `${word} ${next}`);
}

function isPaired(index: OpenIndex, words: readonly string[]): boolean {
  return words.some((_, i) => pairAt(index, words, i).length > 0);
}

/** Each word, or two together, as part of a name, as a kind of place, or as part of an area. */
function meanings(index: OpenIndex, words: readonly string[], scope: number): (Expression | undefined)[] {
  const parts: (Expression | undefined)[] = [];
  for (let i = 0; i < words.length; i++) {
    const pair = pairAt(index, words, i).map((kind) => term('k', kind));
    const terms = pair.length > 0 ? pair : meaningsOf(index, words[i] ?? '');
    parts.push(any(terms.filter((one) => isKnown(index, one, scope))));
    if (pair.length > 0) i++;
  }
  return parts;
}

function meaningsOf(index: OpenIndex, word: string): string[] {
  return [term('w', word), ...kindsOf(index, word).map((kind) => term('k', kind)), term('p', word)];
}

function isKnown({ store }: OpenIndex, one: string, scope: number): boolean {
  return store.lists.doesExist(destinationKey(scope) + one);
}

/** The last word only begun, as the frequent words that it may become. */
function longer(index: OpenIndex, words: readonly string[], scope: number): (Expression | undefined)[] {
  const begun = begunWords(index.store, words.at(-1) ?? '', scope, BEGUN_MAX);
  return [any(begun.map((word) => term('w', word))), ...meanings(index, words.slice(0, -1), scope)];
}

function any(alternatives: readonly Expression[]): Expression | undefined {
  return alternatives.length === 0
    ? undefined
    : alternatives.length === 1
      ? alternatives[0]
      : { any: alternatives };
}

function all(parts: readonly Expression[]): Expression | undefined {
  return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : { all: parts };
}
