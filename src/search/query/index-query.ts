import type { PagePosition } from '../../core/cursor.ts';
import type { BoundingBox } from '../../core/geo.ts';
import type { DestinationSnapshot } from '../../directory/destinations.ts';
import type { Understood } from '../understand/understood.ts';
import type { Hit } from './hit.ts';
import type { Filters } from './stages.ts';

export interface IndexQuery extends Filters {
  text?: string | undefined;
  box?: BoundingBox | undefined;
  /** `except` is a place that is not listed: the landmark itself. */
  near?: { lat: number; lng: number; radiusM: number; except?: string | undefined } | undefined;
  /** Only places that are open at this time. */
  openAt?: Date | undefined;
  /** Also places that are open then by hours too old to be verified, after the others. */
  openLikely?: boolean | undefined;
  minRating?: number | undefined;
  /** The price range as shown on a card. */
  price?: string | undefined;
  /** Destinations that the text may name. */
  named?: DestinationSnapshot | undefined;
  /** Only matches by kind and facts, without the words of names and addresses. */
  byKind?: boolean | undefined;
  /** Finds the places whose name begins with the text, in the world, and nothing else. */
  nameStart?: boolean | undefined;
  limit: number;
  after?: PagePosition | undefined;
  /** Searches a circle at once, and only the widest one around a landmark, to count what is in it. */
  isCount?: boolean | undefined;
}

export interface SearchResult {
  hits: Hit[];
  next: PagePosition | undefined;
  /** Interpretation of the text, unless it matched a whole name. */
  understood?: Understood | undefined;
}
