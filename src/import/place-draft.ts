import type { AreaDraft } from './areas/area-draft.ts';
import type { Shape } from './areas/shape.ts';
import type { BoundingBox } from '../core/geo.ts';
import type { AddressTags } from './tags/address.ts';
import type { Facts } from '../directory/place/facts.ts';
import type { ImportedSource } from '../directory/place/imported-sources.ts';
import type { SkippedLines } from './skipped-lines.ts';
import type { Vertical } from './verticals.ts';

/** Data of one source about one place, before it has a destination and an id. */
export interface PlaceDraft extends AddressTags {
  source: ImportedSource;
  /** Object in the source, such as `node/123`. */
  source_ref: string;
  /** Empty for an object that is named by its kind and area. */
  name: string;
  /** True when the source has no name, so that `name` is the brand, the operator or empty. */
  name_generated?: boolean;
  /** Names by language tag, such as `{ en: '…', 'zh-Hant': '…' }`. */
  names: Record<string, string>;
  /** Short, official, local and alternative names, which have no language tag. */
  other_names: string[];
  /** Searchable Latin form, only when the name contains letters of another script. */
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
  /** Time when the hours, or else the object, were last checked or changed. */
  touched_at: Date | null;
  /** Time when the object was last changed; null when the source does not state it. */
  observed_at: Date | null;
  facts: Facts;
  /** 0 to 100, see `readProminence`. */
  prominence: number;
  accolades: AccoladeDraft[];
  booking_url: string | null;
  /** Set when the place is disused according to the source: the evidence, and since when. */
  closed: { note: string; observed_at: Date | null } | null;
  cut?: readonly string[];
}

export interface AccoladeDraft {
  title: string;
  year: number | null;
  source_name: string;
  source_url: string;
}

/** City, town, island or small country in the source, from which a destination can be created. */
export interface Settlement {
  source_ref: string;
  kind: 'country' | 'city' | 'town' | 'island';
  name: string;
  names: Record<string, string>;
  lat: number;
  lng: number;
  /** In degrees. West is greater than east when the extent crosses the date line. */
  extent: BoundingBox;
  /** True when the extent comes from a mapped outline instead of a radius. */
  outlined: boolean;
  /** Outline, when the file contains all of it. */
  outline: Shape | null;
  country: string | null;
  population: number | null;
}

/** Returns the counts of objects read and skipped, for the report at the end of an import. */
export function newReadCounts() {
  return {
    /** Objects of interest to travellers, named or not, open or not. */
    of_interest: 0,
    places: 0,
    /** Places that are disused according to the source. */
    closed: 0,
    unnamed: 0,
    vacant: 0,
    /** Rooms and other parts of a building that are mapped as lodgings. */
    parts: 0,
    /** Routes, which have no single position. */
    routes: 0,
    /** Relevant objects whose outline is outside the file. */
    without_position: 0,
    /** Places whose existence the source itself doubts. */
    doubtful: 0,
    /** Phone numbers that are kept as published, because they are no complete international number. */
    phones_as_published: 0,
    /** Websites that are not an http URL. */
    websites_dropped: 0,
    settlements: 0,
  };
}
export type ReadCounts = ReturnType<typeof newReadCounts>;

/**
 * State of objects that are not places in the file: present under other tags (`there`), `closed` by their tags, or
 * unknown (`untold`) because their id is after the last object of the file, as when it was truncated between two
 * blocks.
 */
export type ObjectStates = Map<string, 'there' | 'closed' | 'untold'>;

/** Source that is being read. The counts are complete when the batches have ended. */
export interface PlaceReading {
  /** Date of the source, when the file states it. */
  readonly extractedAt: Date | null;
  /** Bounding box according to the file. It may be wrong, and larger than the content. */
  readonly box: BoundingBox | null;
  readonly counts: ReadCounts;
  /** Lines of a table that were skipped. */
  readonly skipped?: SkippedLines;
  /** Reads the file once. It is closed at the end, even when the caller stops early. */
  batches(): AsyncIterable<PlaceBatch>;
  close(): Promise<void>;
}

export interface PlaceBatch {
  places: PlaceDraft[];
  settlements: Settlement[];
  areas: AreaDraft[];
}
