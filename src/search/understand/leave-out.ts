import { destinationKey } from '../store/keys.ts';
import { lengthIn } from '../store/list-parts.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { isIn, isTerm, partTerms } from './part.ts';
import type { Part } from './phrase.ts';

interface Weighed {
  part: Part;
  /** Place among the parts. Of kinds side by side, the last one counts as the first: a beach hotel is a hotel. */
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
export function dropOrder(index: OpenIndex, text: string, parts: readonly Part[], scope: number): Part[] {
  const key = destinationKey(scope);
  const heads = parts.map((_, at) => headAt(text, parts, at));
  const weighed: Weighed[] = parts.map((part, at) => ({
    part,
    at: heads[at] ?? at,
    places: partTerms(index, part).reduce(
      (sum, term) => sum + lengthIn(index.store.lists.getBinaryFast(key + term)),
      0,
    ),
  }));
  return weighed.sort(byWeight).map(({ part }) => part);
}

/** Kinds that say where something is, also behind it: a hotel at the station. And shops, which may sell anything. */
const WHERE_OR_ANY = new Set(
  'station bus_station airport beach park square bridge marina ferry_terminal transport shop'.split(' '),
);

/** Returns the place of a part among the parts, with the kinds of one compound in reverse order. */
function headAt(text: string, parts: readonly Part[], at: number): number {
  const isCompound = (from: number) => {
    const [one, other] = [parts[from], parts[from + 1]];
    return (
      one?.is === 'kind' &&
      other?.is === 'kind' &&
      !other.values.some((kind) => WHERE_OR_ANY.has(kind)) &&
      ` ${text} `.includes(` ${one.text} ${other.text} `)
    );
  };
  let [from, to] = [at, at];
  while (isCompound(from - 1)) from--;
  while (isCompound(to)) to++;
  return from + to - at;
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
