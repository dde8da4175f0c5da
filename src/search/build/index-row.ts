import { cardMembers, methodOf, type PlaceRow } from './document.ts';
import type { RowFacts } from './indexed-row.ts';
import type { RowHours } from '../query/lexicon.ts';
import { rowidOf, scoreOf } from '../query/rank.ts';

export interface IndexedDestination {
  number: number;
  id: string;
  slug: string;
  timezone: string;
}

/** One place as it is stored in a segment. */
export interface IndexRow extends Omit<RowFacts, 'ordinal'> {
  rowid: number;
  placeId: string;
  card: string;
}

export function rowOf(
  place: PlaceRow,
  destination: IndexedDestination,
  { hours, hoursUntil }: RowHours,
  serial: number,
): IndexRow {
  return {
    rowid: rowidOf(scoreOf(place.verified, place.rating, place.review_count), serial),
    placeId: place.id,
    card: cardMembers(place, destination.slug),
    method: methodOf(place),
    hours,
    hoursUntil,
    destination: destination.number,
  };
}
