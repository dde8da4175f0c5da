import { fold, wordsOf } from '../../core/text/fold.ts';
import { areaTerm } from '../areas/area-names.ts';
import type { Wish } from '../../directory/place/facts.ts';
import { destinationKey, term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { categoryKey } from '../understand/category-key.ts';
import { kindsFor } from '../understand/known-phrase.ts';
import type { Understood } from '../understand/understood.ts';
import { all, any, type Expression } from './expression.ts';

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
  /** Who is found so is called so: nothing was misspelt. */
  isName?: boolean;
  /** Only where all before it found nothing. */
  whenEmpty?: boolean;
  /** The text asks for places that are open, or of a price. */
  openNow?: boolean;
  price?: string | undefined;
  /** How the text is understood where places are found in this way. */
  understood?: () => Understood | undefined;
}

const EVERYTHING = term('d', '');

/** The filters as ways of matching: what people call an area may be stored as a city, so that comes next. */
export function filterStages(index: OpenIndex, filters: Filters): Stage[] {
  const { destination, category, cuisine } = filters;
  const isKindInArea =
    isUnknown(filters) && destination !== undefined && (category !== undefined || cuisine !== undefined);
  const scope = scopeOf(filters);
  const loose = { scope, wanted: () => filterExpression(index, filters) };
  return isKindInArea ? [{ scope, wanted: () => all(filterParts(index, filters, 'exact')) }, loose] : [loose];
}

/** Whether an area is asked for that no place lies in by name: it may be the name of a city, or a part of a name. */
function isUnknown({ area, areas = [] }: Filters): boolean {
  return area !== undefined && areas.length === 0;
}

/** Squares of the map have lists in the world only. */
export function scopeOf({ destination, cells }: Filters): number {
  return destination === undefined || cells !== undefined ? WORLD : destination;
}

/** The places that the filters let through, whatever they are called. */
export function filterExpression(index: OpenIndex, filters: Filters): Expression {
  return all(filterParts(index, filters, 'loose')) ?? EVERYTHING;
}

export function filterParts(index: OpenIndex, filters: Filters, areas: 'exact' | 'loose'): Expression[] {
  const { country, category, cuisine, area, areas: named = [], city, cells, wishes = [] } = filters;
  const parts: (Expression | undefined)[] = [];
  if (named.length > 0) parts.push(any(named.map(areaTerm)));
  else if (area !== undefined) parts.push(areaPart(area, filters.destination, areas));
  for (const kind of [category, cuisine])
    if (kind !== undefined) parts.push(any(kindsFor(index, fold(kind)).map((one) => term('k', one))));
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

/** Whether some place lies in a town or a part of one that is called so. */
export function knowsTown({ store }: OpenIndex, text: string): boolean {
  return wordsOf(text).every((word) => store.lists.doesExist(destinationKey(WORLD) + term('p', word)));
}

/** The places of a destination, in the world. */
export function placesOf(destination: number): string {
  return term('i', '') + destinationKey(destination);
}

const NOTHING: Expression = { any: [] };

function placeWords(text: string): Expression[] {
  return wordsOf(text).map((word) => term('p', word));
}
