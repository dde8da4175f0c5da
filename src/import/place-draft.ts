import type { AreaDraft } from './areas/area-draft.ts';
import type { Shape } from './areas/shape.ts';
import type { Extent } from './centre.ts';
import type { Address } from './tags/address.ts';
import type { Facts } from '../directory/place/facts.ts';
import type { Vertical } from './verticals.ts';

/** What one source says about one place. It is not yet in a destination and has no id of ours. */
export interface PlaceDraft extends Address {
  source: 'osm' | 'geojson' | 'overture';
  /** The object in the source, such as `node/123`. */
  source_ref: string;
  name: string;
  /** Names by language tag, such as `{ en: '…', 'zh-Hant': '…' }`. */
  names: Record<string, string>;
  /** Short, official, local and alternative names, which have no language of their own. */
  other_names: string[];
  /** A searchable form, only where the name has letters of another script. */
  latin_name: string | null;
  vertical: Vertical;
  category: string;
  /** Every category that the tags matched; the first is `category`. */
  categories: string[];
  cuisine: string[];
  lat: number;
  lng: number;
  phone: string | null;
  email: string | null;
  website: string | null;
  languages: string[];
  hours_text: string | null;
  /** When the hours, or else the object, were last checked or changed. */
  touched_at: Date | null;
  /** When the object was last changed; null where the source does not say. */
  observed_at: Date | null;
  facts: Facts;
  /** 0 to 100, see `readProminence`. */
  prominence: number;
  accolades: Accolade[];
  booking_url: string | null;
  /** The source says that the place is no longer in use: in which words, and since when. */
  closed: { note: string; observed_at: Date | null } | null;
  /** Which of its texts were cut to their limits. */
  cut?: readonly string[];
}

export interface Accolade {
  title: string;
  year: number | null;
  source_name: string;
  source_url: string;
}

/** A city, town, island or small country in the source, from which a destination can be made. */
export interface Settlement {
  source_ref: string;
  kind: 'country' | 'city' | 'town' | 'island';
  name: string;
  names: Record<string, string>;
  lat: number;
  lng: number;
  /** In degrees. West is greater than east where the extent crosses the date line. */
  extent: Extent;
  /** Whether the extent comes from a mapped outline, and not from a radius. */
  outlined: boolean;
  /** The outline, where the file holds all of it. */
  outline: Shape | null;
  country: string | null;
  population: number | null;
}

/** What was read and what was left out, for the report at the end of an import. */
export interface ReadCounts {
  /** Objects of interest to travellers, named or not, open or not. */
  of_interest: number;
  places: number;
  /** Among the places: those that the source calls disused. */
  closed: number;
  unnamed: number;
  vacant: number;
  /** Rooms and other parts of a house that are mapped as lodgings. */
  parts: number;
  /** Lines on which something goes, which lie at no spot. */
  routes: number;
  /** Wanted objects whose outline lies outside the file. */
  without_position: number;
  /** Places that the source itself does not trust to exist. */
  doubtful: number;
  /** Phone numbers without a country code, or not valid. */
  phones_dropped: number;
  /** Websites that are no http address. */
  websites_dropped: number;
  settlements: number;
}

export function newReadCounts(): ReadCounts {
  return {
    of_interest: 0,
    places: 0,
    closed: 0,
    unnamed: 0,
    vacant: 0,
    parts: 0,
    routes: 0,
    without_position: 0,
    doubtful: 0,
    phones_dropped: 0,
    websites_dropped: 0,
    settlements: 0,
  };
}

/**
 * What a file tells of objects that are no place in it: still there under other tags, called closed by them, or untold,
 * because they come after all that it holds, as when it was cut short between two blocks.
 */
export type Found = Map<string, 'there' | 'closed' | 'untold'>;

/** One source being read. The counts are complete when the batches have ended. */
export interface PlaceReading {
  /** The moment that the source describes, where the file tells it. */
  readonly extractedAt: Date | null;
  /** The box that the file says it was cut by. It may be wrong, and more than what the file holds. */
  readonly box: Extent | null;
  readonly counts: ReadCounts;
  /** Reads the file, once. It is closed at the end, also when the caller stops early. */
  batches(): AsyncIterable<PlaceBatch>;
  close(): Promise<void>;
}

export interface PlaceBatch {
  places: PlaceDraft[];
  settlements: Settlement[];
  areas: AreaDraft[];
}
