import { destinationKey } from '../store/keys.ts';
import { lengthIn } from '../store/list-parts.ts';
import type { OpenIndex } from '../store/open-index.ts';
import type { Part } from './part.ts';

interface Weighed {
  part: Part;
  at: number;
  places: number;
}

/** What says less about a place goes first; of equals the later one, because the first is what is looked for. */
const ORDER = ['price', 'wish', 'open', 'area'] as const;

const NAMESAKES_MAX = 2;

/** In which order parts are left out while no place has all of them. At least one stays. */
export function leavingOut(
  index: OpenIndex,
  parts: readonly Part[],
  scope: number,
  termsOf: (part: Part) => readonly string[],
): Part[] {
  const key = destinationKey(scope);
  const weighed: Weighed[] = parts.map((part, at) => ({
    part,
    at,
    places: termsOf(part).reduce(
      (sum, term) => sum + lengthIn(index.store.lists.getBinaryFast(key + term)),
      0,
    ),
  }));
  return weighed.sort(byWeight).map(({ part }) => part);
}

/** Whether nothing is known of a part in the scope. */
export function isUnknown(
  { store }: OpenIndex,
  part: Part,
  scope: number,
  termsOf: (part: Part) => readonly string[],
): boolean {
  if (part.is === 'open' || part.is === 'price') return false;
  return !termsOf(part).some((term) => store.lists.doesExist(destinationKey(scope) + term));
}

function byWeight(a: Weighed, b: Weighed): number {
  return rankOf(a) - rankOf(b) || (isKind(a) && isKind(b) ? 0 : b.places - a.places) || b.at - a.at;
}

function rankOf({ part, places }: Weighed): number {
  const needsPlaces = part.is !== 'open' && part.is !== 'price';
  if (needsPlaces && places === 0) return 0;
  if (part.isPraise) return 1;
  // A word that several places have in their names is where they are, rather than what they are called.
  const is = part.is === 'name' && places > NAMESAKES_MAX ? 'area' : part.is;
  const at = (ORDER as readonly string[]).indexOf(is);
  return at < 0 ? 2 + ORDER.length : 2 + at;
}

function isKind({ part }: Weighed): boolean {
  return part.is === 'kind' || part.is === 'cuisine';
}
