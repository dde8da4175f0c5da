import entries from './catalogue.json' with { type: 'json' };

/** A real destination that is shipped with the service. Operators add their own beside these. */
export interface CatalogueEntry {
  slug: string;
  name: string;
  country: string;
  lat: number;
  lng: number;
  /** West, south, east, north in degrees. West is greater than east where the extent crosses the date line. */
  bbox: [number, number, number, number];
  timezone: string;
  kind: 'city' | 'island' | 'coast' | 'mountain' | 'region';
  other_names: string[];
  areas: string[];
}

// JSON imports are typed with plain arrays and strings; the catalogue's test checks the narrower type.
export const CATALOGUE = entries as unknown as readonly CatalogueEntry[];
