import { destinationKey } from '../store/keys.ts';
import { lengthIn } from '../store/list-parts.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { isIn, isTerm, partTerms } from './part.ts';
import type { Part } from './phrase.ts';

interface Weighed {
  part: Part;
  at: number;
  places: number;
}

/**
 * Order in which parts are dropped, the least significant first: a hotel is a better answer to "haunted hotel" than a
 * mansion with that word in its name. Among equal ones the later part is dropped first, because the first is usually the
 * subject.
 */
const ORDER: readonly Part['is'][] = ['price', 'wish', 'stars', 'open', 'area', 'name', 'brand', 'kind'];

const NAMESAKES_MAX = 2;

/** Returns the order in which parts are dropped while no place matches all of them. At least one remains. */
export function dropOrder(index: OpenIndex, parts: readonly Part[], scope: number): Part[] {
  const key = destinationKey(scope);
  const weighed: Weighed[] = parts.map((part, at) => ({
    part,
    at,
    places: partTerms(index, part).reduce(
      (sum, term) => sum + lengthIn(index.store.lists.getBinaryFast(key + term)),
      0,
    ),
  }));
  return weighed.sort(byWeight).map(({ part }) => part);
}

/** True when no place in the scope has a term of the part. */
export function isUnknown(index: OpenIndex, part: Part, scope: number): boolean {
  return isTerm(part) && !partTerms(index, part).some((term) => isIn(index, scope, term));
}

function byWeight(a: Weighed, b: Weighed): number {
  return rankOf(a) - rankOf(b) || (isKind(a) && isKind(b) ? 0 : b.places - a.places) || b.at - a.at;
}

function rankOf({ part, places }: Weighed): number {
  if (isTerm(part) && places === 0) return 0;
  if (part.weight === 'minor' || part.weight === 'number') return 1;
  return 2 + ORDER.indexOf(kindOf({ part, places }));
}

function kindOf({ part, places }: Pick<Weighed, 'part' | 'places'>): Part['is'] {
  // A word in the names of several places is more likely a location than a name.
  if (part.is === 'name' && places > NAMESAKES_MAX) return 'area';
  // The places of a brand are a better answer than others of the kind, but only if the map says which they are.
  const isCertain = part.is === 'brand' && part.terms.some((one) => one.startsWith('b'));
  return part.is === 'cuisine' || isCertain ? 'kind' : part.is;
}

function isKind({ part }: Weighed): boolean {
  return part.is === 'kind' || part.is === 'cuisine';
}
