import type { StatedTerms } from '../../../../bookings/terms/table-terms.ts';
import type { Point } from '../../../../core/geo.ts';
import { fold } from '../../../../core/text/fold.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import type { Place } from '../../../../directory/place/place.ts';
import type { MemberTable } from '../../../../members/list-tables.ts';
import type { Member } from '../../../../members/member.ts';
import type { StreetMap } from '../../../../streets/street-tiles.ts';
import type { Site } from '../../frame/layout.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { ListedCard } from '../destination-query.ts';
import type { BaseMap } from '../map/ground.ts';
import type { Thumbnails } from '../place-picture.ts';
import type { PageReader } from '../reader.ts';

/** Everything that the page of one place shows. */
export interface PlaceModel {
  site: Site;
  now: Date;
  place: Place;
  reader: PageReader;
  destination: Destination;
  /** Terms of the venue for a table. */
  terms: StatedTerms;
  ground: BaseMap;
  streets: StreetMap | undefined;
  /** The point around which the visitor searched. */
  near?: Point | undefined;
  /** Open places of the same kind around this one. */
  alternatives?: Alternatives | undefined;
  /** The member who looks at the page, and their tables here. */
  visit?: MemberVisit | undefined;
}

/** Places of the same kind around a place, for people who find it closed or full. */
export interface Alternatives {
  cards: readonly ListedCard[];
  thumbnails: Thumbnails;
}

/** A signed-in member on the page of a place. */
export interface MemberVisit {
  req: PageRequest<Member>;
  /** In milliseconds since 1970. */
  readAt: number;
  /** The member's tables here. */
  tables: readonly MemberTable[];
  state: PageState;
}

/** Returns location names from smallest to largest without duplicates: "Roppongi, Roppongi" becomes "Roppongi". */
export function locationParts(parts: readonly (string | null)[]): string[] {
  const seen = new Set<string>();
  return parts.filter((part): part is string => {
    if (part === null) return false;
    const name = fold(part);
    if (name === '' || seen.has(name)) return false;
    // A street address may already contain its area and its city.
    for (const piece of [part, ...part.split(',')]) seen.add(fold(piece));
    return true;
  });
}
