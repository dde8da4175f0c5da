import type { OperationDeps } from '../core/context.ts';
import { quoteUntrusted } from '../core/text/tool-text.ts';
import { RADIUS_MAX_M } from './map-filters.ts';
import { searchPlaces, type PlaceSearch } from './search-places.ts';

/** Argument names that differ between tools. */
export interface FilterNames {
  text: 'q' | 'query';
  openAt: 'open_now' | 'at';
}

/** A filter that leaves a search without results. */
interface BlockingFilter {
  /** Name of the argument in the API. */
  name: string;
  sentence: string;
}

interface Filter {
  name: string;
  /** The filter with its value, as sent by the caller. */
  words: string;
  without: Partial<PlaceSearch>;
}

/** Maximum number of places counted for a hint; a higher count adds no information. */
const COUNTED_MAX = 20;

/**
 * Finds the filters that empty a search by repeating it without each of them in turn. `tried` lists all filters of the
 * search.
 */
export function findBlockingFilters(
  deps: OperationDeps,
  search: PlaceSearch,
  names: FilterNames,
): { blocking: BlockingFilter[]; tried: string[] } {
  const filters = filtersOf(search, names);
  const { near } = search;
  const blocking = filters.flatMap(({ name, words, without }) => {
    const likely = name === names.openAt && search.openLikely !== true ? { openLikely: true } : undefined;
    const usuallyOpen = likely === undefined ? 0 : count(deps, { ...search, ...likely });
    if (usuallyOpen > 0)
      return [
        {
          name,
          sentence: `${words} leaves nothing; with open “likely”, which also uses older hours, ${countWords(usuallyOpen)}.`,
        },
      ];
    const matches = count(deps, { ...search, ...without });
    return matches === 0
      ? []
      : [{ name, sentence: `${words} leaves nothing; without it, ${countWords(matches)}.` }];
  });
  const farther = near === undefined ? [] : nearestBeyond(deps, search, near);
  const tried = [...new Set([...filters.map(({ name }) => name), ...(near === undefined ? [] : ['near'])])];
  return { blocking: [...farther, ...blocking], tried };
}

function count(deps: OperationDeps, search: PlaceSearch): number {
  return searchPlaces(deps, { ...search, cursor: undefined, limit: COUNTED_MAX, isCount: true }).hits.length;
}

function countWords(matches: number): string {
  if (matches === COUNTED_MAX) return `${matches} or more places match`;
  return matches === 1 ? '1 place matches' : `${matches} places match`;
}

function filtersOf(search: PlaceSearch, names: FilterNames): Filter[] {
  const { text, category, cuisine, area, box, openAt, minRating, price, wishes = [], country } = search;
  const filters: Filter[] = [];
  const add = (name: string, value: string | undefined, without: Partial<PlaceSearch>) => {
    if (value !== undefined)
      filters.push({ name, words: value === '' ? name : `${name} “${quoteUntrusted(value)}”`, without });
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
  // When the text is the only constraint, dropping it would answer a different question.
  if (filters.length > 0 || search.near !== undefined) add(names.text, text, { text: undefined });
  return filters;
}

/** Finds the nearest place that matches everything except the radius. */
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
  const matches = count(deps, { ...search, near: undefined });
  return matches === 0
    ? []
    : [{ name: 'near', sentence: `near leaves nothing at any radius; without it, ${countWords(matches)}.` }];
}
