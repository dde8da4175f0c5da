import { fold, wordsOf } from '../../core/text/fold.ts';
import { areaKeyOf } from '../areas/area-key.ts';
import { areaTerm } from '../areas/area-names.ts';
import type { Wish } from '../../directory/place/facts.ts';
import { destinationKey, term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { kindsFor } from '../understand/known-phrase.ts';
import type { Understood } from '../understand/understood.ts';
import { all, any, type Expression } from './expression.ts';

/** Filters of an index query, with names already resolved. Lists are alternatives. */
export interface Filters {
  destination?: number | undefined;
  country?: string | undefined;
  category?: string | undefined;
  cuisine?: string | undefined;
  area?: string | undefined;
  /** Keys of the areas that the name matches in the index. */
  areas?: readonly string[] | undefined;
  city?: string | undefined;
  cells?: readonly string[] | undefined;
  /** A place must satisfy all of them. */
  wishes?: readonly Wish[] | undefined;
}

/** One way of matching, in a destination or in the world. Evaluated only when better stages did not fill the page. */
export interface Stage {
  scope: number;
  /** Undefined when no place can match in this stage. */
  expression(): Expression | undefined;
  /** True when a match means that the text is the name of the place, so that nothing was misspelt. */
  isName?: boolean;
  /** True for matches by kind and facts alone, without the words of a name. */
  isKind?: boolean;
  /** True for places of kinds that the text implies, such as Japanese ones for sushi. */
  isImplied?: boolean;
  /** Used only when all earlier stages found nothing. */
  whenEmpty?: boolean;
  /** Ends before the places with a generated name, which are only found by kind or by position. */
  onlyNamed?: boolean;
  /** Openings that the text requests (opening.ts), and a price range. */
  openings?: readonly string[] | undefined;
  price?: string | undefined;
  /** Finds places that are open by hours too old to be verified, instead of those known to be open. */
  byOldHours?: boolean;
  /** Interpretation of the text for places found in this stage. */
  understood?: () => Understood | undefined;
}

const EVERYTHING = term('d', '');

/** Builds stages from filters. People may name an area that is stored as a city, so that is tried next. */
export function filterStages(index: OpenIndex, filters: Filters): Stage[] {
  const { destination, category, cuisine, cells } = filters;
  const isKindInArea =
    isUnknown(filters) && destination !== undefined && (category !== undefined || cuisine !== undefined);
  const scope = scopeOf(filters);
  const onlyNamed = category === undefined && cuisine === undefined && cells === undefined;
  const loose = { scope, onlyNamed, expression: () => filterExpression(index, filters) };
  return isKindInArea
    ? [{ scope, expression: () => all(filterParts(index, filters, 'exact')) }, loose]
    : [loose];
}

/** True when no place is recorded in the requested area, which may be the name of a city or a part of a name. */
function isUnknown({ area, areas = [] }: Filters): boolean {
  return area !== undefined && areas.length === 0;
}

/** Returns the scope of filters. Map cells only have lists in the world. */
export function scopeOf({ destination, cells }: Filters): number {
  return destination === undefined || cells !== undefined ? WORLD : destination;
}

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
  if (cells !== undefined && filters.destination !== undefined)
    parts.push(destinationTerm(filters.destination));
  if (country !== undefined) parts.push(term('c', country.toLowerCase()));
  return parts.filter((part) => part !== undefined);
}

function areaPart(
  area: string,
  destination: number | undefined,
  areas: 'exact' | 'loose',
): Expression | undefined {
  const exact = areaTerm(areaKeyOf(area));
  if (areas === 'exact') return exact;
  const words = all(placeWords(area));
  if (destination === undefined || words === undefined) return words ?? NOTHING;
  return { any: [exact, words] };
}

/** True when some place lies in a town, or a part of one, with this name. */
export function knowsTown({ store }: OpenIndex, text: string): boolean {
  return wordsOf(text).every((word) => store.lists.doesExist(destinationKey(WORLD) + term('p', word)));
}

/** Term for the places of a destination, used in the world scope. */
export function destinationTerm(destination: number): string {
  return term('i', '') + destinationKey(destination);
}

const NOTHING: Expression = { any: [] };

function placeWords(text: string): Expression[] {
  return wordsOf(text).map((word) => term('p', word));
}
