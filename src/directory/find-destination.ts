import type { Destination, DestinationSnapshot } from './destinations.ts';
import { fold } from './fold.ts';
import { editDistance } from './index/spelling.ts';

const SUGGESTIONS = 5;
const FAR = 6;

/** A destination by its id, its slug or any of its names, in any spelling that folds to the same. */
export function findDestination(
  { destinations }: DestinationSnapshot,
  text: string,
): Destination | undefined {
  const wanted = fold(text);
  return (
    destinations.find(({ id, slug }) => id === text || slug === text.trim().toLowerCase()) ??
    destinations.find(({ name }) => fold(name) === wanted) ??
    destinations.find(({ other_names }) => other_names.some((name) => fold(name) === wanted))
  );
}

/** The names that come nearest to what was asked for, for a caller who mistyped one. */
export function nearestDestinations({ destinations }: DestinationSnapshot, text: string): string[] {
  const wanted = fold(text);
  return destinations
    .map(({ name, places }) => ({ name, places, distance: distanceTo(fold(name), wanted) }))
    .sort((a, b) => a.distance - b.distance || b.places - a.places)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name);
}

function distanceTo(name: string, wanted: string): number {
  return name.includes(wanted) || wanted.includes(name) ? 1 : editDistance(name, wanted, FAR);
}
