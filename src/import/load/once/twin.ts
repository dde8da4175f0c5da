import type { Facts } from '../../../directory/place/facts.ts';
import { addressParts, compareAddresses } from '../../match/compare-addresses.ts';
import { comparePhones, phoneEndings } from '../../match/compare-phones.ts';
import type { MatchRecord } from '../../match/match-record.ts';
import { type MatchSide, recordOf } from '../../match/match-side.ts';
import { metresBetween } from '../../match/metres-between.ts';

/** One of two objects of a map that may be the same place. */
export interface TwinSide extends MatchSide {
  source_ref: string;
  vertical: string;
  categories: string[];
  facts: Facts;
}

export const TWIN_METRES_MAX = 30;
/** Branches of a chain, and stops of several lines, stand as near as this only where one was mapped twice. */
const CHAIN_METRES_MAX = 15;
/** Two that were one before stay one though a mapper has moved one of them a little. */
const KNOWN_METRES_MAX = 100;

/** Whether two objects of one name, near each other, are one place. */
export function areTwins(
  a: TwinSide,
  b: TwinSide,
  { chain, known }: { chain: boolean; known: boolean },
): boolean {
  if (a.vertical !== b.vertical || !shareKind(a, b)) return false;
  const [one, other] = [recordOf(a), recordOf(b)];
  const metres = metresBetween(one, other) ?? Infinity;
  // A point and the house around it are one place more often than two points, and two houses are two.
  const outlines = Number(isOutline(a)) + Number(isOutline(b));
  const careful = outlines === 2 || (outlines === 0 && (chain || a.vertical === 'transport'));
  if (metres > (known ? KNOWN_METRES_MAX : careful ? CHAIN_METRES_MAX : TWIN_METRES_MAX)) return false;
  return !contradict(one, other) && !differ(a.facts, b.facts, chain) && !(chain && otherPhones(one, other));
}

function isOutline({ source_ref }: TwinSide): boolean {
  return /^(way|relation)\//.test(source_ref);
}

function shareKind(a: TwinSide, b: TwinSide): boolean {
  return a.category === b.category || a.categories.some((category) => b.categories.includes(category));
}

function differ(a: Facts, b: Facts, chain: boolean): boolean {
  const told = (['level', 'brand_wikidata', ...(chain ? (['operator'] as const) : [])] as const).filter(
    (fact) => a[fact] !== undefined && b[fact] !== undefined,
  );
  return told.some((fact) => a[fact] !== b[fact]);
}

/** Two houses, or two units of one. */
export function contradict(a: MatchRecord, b: MatchRecord): boolean {
  const { numbers, unitsClash } = compareAddresses(addressParts(a), addressParts(b));
  return numbers === 'different' || unitsClash;
}

function otherPhones(a: MatchRecord, b: MatchRecord): boolean {
  return comparePhones(phoneEndings(a.phones ?? []), phoneEndings(b.phones ?? [])) === 'different';
}
