import type { OperationDeps } from '../core/context.ts';
import { told } from '../core/text/told-line.ts';
import { RADIUS_MAX_M } from './map-filters.ts';
import { searchPlaces, type PlaceSearch } from './search-places.ts';

/** The names of arguments that differ between tools. */
export interface FilterNames {
  text: 'q' | 'query';
  openAt: 'open_now' | 'at';
}

/** A filter without which a search finds something. */
export interface BlockingFilter {
  /** The argument on the wire. */
  name: string;
  sentence: string;
}

interface Filter {
  name: string;
  /** The filter with its value, as the caller wrote it. */
  words: string;
  without: Partial<PlaceSearch>;
}

/** Counting further than this would tell nobody more. */
const COUNTED_MAX = 20;

/**
 * Finds the filters of an empty search that leave nothing: each is left out alone, and the search is tried again. `tried`
 * names all filters that the search had.
 */
export function findBlockingFilters(
  deps: OperationDeps,
  search: PlaceSearch,
  names: FilterNames,
): { blocking: BlockingFilter[]; tried: string[] } {
  const filters = filtersOf(search, names);
  const { near } = search;
  const blocking = filters.flatMap(({ name, words, without }) => {
    const found = count(deps, { ...search, ...without });
    return found === 0
      ? []
      : [{ name, sentence: `${words} leaves nothing; without it, ${countWords(found)}.` }];
  });
  const farther = near === undefined ? [] : nearestBeyond(deps, search, near);
  const tried = [...new Set([...filters.map(({ name }) => name), ...(near === undefined ? [] : ['near'])])];
  return { blocking: [...farther, ...blocking], tried };
}

function count(deps: OperationDeps, search: PlaceSearch): number {
  return searchPlaces(deps, { ...search, cursor: undefined, limit: COUNTED_MAX }).hits.length;
}

function countWords(found: number): string {
  if (found === COUNTED_MAX) return `${found} or more places match`;
  return found === 1 ? '1 place matches' : `${found} places match`;
}

function filtersOf(search: PlaceSearch, names: FilterNames): Filter[] {
  const { text, category, cuisine, area, box, openAt, minRating, price, wishes = [], country } = search;
  const filters: Filter[] = [];
  const add = (name: string, value: string | undefined, without: Partial<PlaceSearch>) => {
    if (value !== undefined)
      filters.push({ name, words: value === '' ? name : `${name} “${told(value)}”`, without });
  };
  add('category', category, { category: undefined });
  add('cuisine', cuisine, { cuisine: undefined });
  add('area', area, { area: undefined });
  for (const wish of wishes) add('wishes', wish, { wishes: wishes.filter((other) => other !== wish) });
  add('min_rating', minRating?.toString(), { minRating: undefined });
  add('price', price, { price: undefined });
  add('bbox', box && '', { box: undefined });
  add(names.openAt, openAt && '', { openAt: undefined });
  add('country', search.destination === undefined ? undefined : country, { country: undefined });
  // A text alone says all that is asked for: to leave it out would answer another question.
  if (filters.length > 0 || search.near !== undefined) add(names.text, text, { text: undefined });
  return filters;
}

/** The nearest place that fits everything but the radius. */
function nearestBeyond(
  deps: OperationDeps,
  search: PlaceSearch,
  near: NonNullable<PlaceSearch['near']>,
): BlockingFilter[] {
  if (near.radiusM >= RADIUS_MAX_M) return beyondAll(deps, search);
  const wide = { ...search, near: { ...near, radiusM: RADIUS_MAX_M }, cursor: undefined, limit: 1 };
  const [hit] = searchPlaces(deps, wide).hits;
  if (hit?.metres === undefined) return beyondAll(deps, search);
  const metres = Math.ceil(hit.metres);
  const sentence = `radius_m “${near.radiusM}” leaves nothing; the nearest match is ${metres} m away, so send radius_m ${metres} or more.`;
  return [{ name: 'radius_m', sentence }];
}

function beyondAll(deps: OperationDeps, search: PlaceSearch): BlockingFilter[] {
  const found = count(deps, { ...search, near: undefined });
  return found === 0
    ? []
    : [
        {
          name: 'near',
          sentence: `near leaves nothing, whatever the radius; without it, ${countWords(found)}.`,
        },
      ];
}
