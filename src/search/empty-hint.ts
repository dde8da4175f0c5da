import type { OperationDeps } from '../core/context.ts';
import { quoteUntrusted } from '../core/text/tool-text.ts';
import type { Destination } from '../directory/destinations.ts';
import { emptyDestinationWords, suggestDestinations } from '../directory/find-destination.ts';
import { AROUND_FAR_M } from './query/search-index.ts';
import { findBlockingFilters, type FilterNames } from './blocking-filters.ts';
import { searchPlaces, type FoundPlaces, type PlaceSearch } from './search-places.ts';
import type { Understood } from './understand/understood.ts';

const AREAS_MAX = 12;

/** Explains why a search has no results. */
interface EmptyAnswer {
  hint: string;
  /** Includes the filters that leave nothing, if known. */
  understood: Understood | undefined;
}

/** Explains an empty search: the filters that block it, and alternatives. */
export function explainEmpty(
  deps: OperationDeps,
  search: PlaceSearch,
  { understood }: Pick<FoundPlaces, 'understood'>,
  names: FilterNames,
): EmptyAnswer {
  const { destination, city, area } = search;
  if (destination !== undefined && hasNoPlaces(deps, destination))
    return {
      hint: `${emptyDestinationWords(destination.name)} list_destinations names those that have some.`,
      understood,
    };
  if (destination === undefined && city !== undefined && !deps.places.hasTown(city))
    return {
      hint: `No destination or city with this name was found. ${suggestDestinations(deps.destinations.current, city)}`,
      understood,
    };
  const areas = destination === undefined || area === undefined ? [] : areasInstead(deps, destination, area);
  if (areas.length > 0)
    return {
      hint: `${destination?.name ?? ''} has no area with this name. Omit area, or use one of: ${areas.join(', ')}.`,
      understood: { ...understood, left_nothing: ['area'] },
    };
  const { blocking, tried } = findBlockingFilters(deps, search, names);
  if (understood?.near !== undefined && understood.left_out === undefined && blocking.length === 0)
    return {
      hint: `Nothing of this kind is within ${AROUND_FAR_M / 1_000} km of ${quoteUntrusted(understood.near.name)}.`,
      understood,
    };
  if (blocking.length > 0)
    return {
      hint: blocking.map(({ sentence }) => sentence).join(' '),
      understood: { ...understood, left_nothing: blocking.map(({ name }) => name) },
    };
  const unknown = understood?.left_out ?? [];
  if (unknown.length > 0)
    return {
      hint: `No place has ${unknown.map((word) => `“${word}”`).join(' or ')}. Leave it out, or try another word.`,
      understood,
    };
  const hint =
    tried.length > 1
      ? `Nothing matches, and leaving out one filter does not help. Leave out several of: ${tried.join(', ')}.`
      : 'Nothing matches. Leave out a filter, or try fewer words.';
  return { hint, understood };
}

/** The counts of a destination follow a change a moment later than the index, so that the index is asked too. */
export function hasNoPlaces(deps: OperationDeps, destination: Destination): boolean {
  return (
    destination.places === 0 && searchPlaces(deps, { destination, limit: 1, isCount: true }).hits.length === 0
  );
}

/** Returns the areas with the most places if the destination has no area of this name. */
function areasInstead({ places }: OperationDeps, { id }: Destination, area: string): string[] {
  const number = places.destinationNumber(id);
  if (number === undefined || places.areaNamed(number, area) !== undefined) return [];
  return places.areasIn(number, AREAS_MAX).map(({ name }) => quoteUntrusted(name));
}
