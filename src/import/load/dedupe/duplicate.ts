import type { Facts } from '../../../directory/place/facts.ts';
import { addressParts, compareAddresses } from '../../match/compare-addresses.ts';
import { comparePhones, phoneEndings } from '../../match/compare-phones.ts';
import type { MatchRecord } from '../../match/match-record.ts';
import { type MatchSide, matchRecord } from '../../match/match-side.ts';
import { metresApart } from '../../match/metres-apart.ts';

export interface DuplicateSide extends MatchSide {
  source_ref: string;
  vertical: string;
  categories: string[];
  facts: Facts;
}

export const DUPLICATE_METRES_MAX = 30;
/** Maximum distance for branches of a chain and stops of several lines. */
const CHAIN_METRES_MAX = 15;
/** Maximum distance for objects that were the same place before, in case a mapper moved one of them a little. */
const KNOWN_METRES_MAX = 100;

/** True when two nearby objects of the same name are one place. */
export function areDuplicates(
  a: DuplicateSide,
  b: DuplicateSide,
  { chain, known }: { chain: boolean; known: boolean },
): boolean {
  const isSameKind = [a.category, ...a.categories].some(
    (kind) => kind === b.category || b.categories.includes(kind),
  );
  if (a.vertical !== b.vertical || !isSameKind) return false;
  const [recordA, recordB] = [matchRecord(a), matchRecord(b)];
  const metres = metresApart(recordA, recordB) ?? Infinity;
  // A point and the building around it are one place more often than two points are; two buildings are two places.
  const outlines = Number(isOutline(a)) + Number(isOutline(b));
  const strict = outlines === 2 || (outlines === 0 && (chain || a.vertical === 'transport'));
  if (metres > (known ? KNOWN_METRES_MAX : strict ? CHAIN_METRES_MAX : DUPLICATE_METRES_MAX)) return false;
  return (
    !addressesConflict(recordA, recordB) &&
    !differ(a.facts, b.facts, chain) &&
    !(
      chain &&
      comparePhones(phoneEndings(recordA.phones ?? []), phoneEndings(recordB.phones ?? [])) === 'different'
    )
  );
}

function isOutline({ source_ref }: DuplicateSide): boolean {
  return /^(way|relation)\//.test(source_ref);
}

function differ(a: Facts, b: Facts, chain: boolean): boolean {
  const comparable = (['level', 'brand_wikidata', ...(chain ? (['operator'] as const) : [])] as const).filter(
    (fact) => a[fact] !== undefined && b[fact] !== undefined,
  );
  return comparable.some((fact) => a[fact] !== b[fact]);
}

/** True when the addresses are two buildings, or two units of one. */
export function addressesConflict(a: MatchRecord, b: MatchRecord): boolean {
  const { numbers, unitsClash } = compareAddresses(addressParts(a), addressParts(b));
  return numbers === 'different' || unitsClash;
}
