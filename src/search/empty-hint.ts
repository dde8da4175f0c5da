import type { OperationDeps } from '../core/context.ts';
import { told } from '../core/text/told-line.ts';
import type { Destination } from '../directory/destinations.ts';
import { nearestDestinations } from '../directory/find-destination.ts';
import type { Understood } from './understand/understood.ts';

const AREAS_TOLD = 12;

interface Asked {
  destination?: Destination | undefined;
  city?: string | undefined;
  area?: string | undefined;
}

/** What to try where a search found nothing: what stands in the way, and what there is instead. */
export function emptyHint(
  deps: OperationDeps,
  { destination, city, area }: Asked,
  understood: Understood | undefined,
): string {
  if (destination === undefined && city !== undefined)
    return `No destination or city of this name was found. Near to it are: ${nearestDestinations(deps.destinations.current, city).join(', ')}.`;
  const areas = destination === undefined || area === undefined ? [] : areasInstead(deps, destination, area);
  if (areas.length > 0)
    return `${destination?.name ?? ''} has no area of this name. Leave area out, or take one of: ${areas.join(', ')}.`;
  const unknown = understood?.left_out ?? [];
  if (unknown.length > 0)
    return `No place has ${unknown.map((word) => `“${word}”`).join(' or ')}. Leave it out, or try another word.`;
  return 'Nothing matches. Leave out a filter, or try fewer words.';
}

/** The areas of a destination with the most places, where it has none of this name. */
function areasInstead({ places }: OperationDeps, { id }: Destination, area: string): string[] {
  const number = places.destinationNumber(id);
  if (number === undefined || places.areaNamed(number, area) !== undefined) return [];
  return places.areasIn(number, AREAS_TOLD).map(({ name }) => told(name));
}
