import type { BoundingBox } from '../../core/geo.ts';
import { isWithin } from '../settlement-extent.ts';

/** Part of a worldwide data set that is imported. */
export interface PlaceFilter {
  /** ISO 3166 alpha-2; empty for all. */
  countries: readonly string[];
  /** Null for everywhere. It must not cross the date line. */
  box: BoundingBox | null;
}

export const NO_FILTER: PlaceFilter = { countries: [], box: null };

/** True when a place is in the part to import. */
export function isSelected(
  { countries, box }: PlaceFilter,
  { lat, lng, country }: { lat: number; lng: number; country: string | null },
): boolean {
  if (box !== null && !isWithin({ west: lng, east: lng, south: lat, north: lat }, box)) return false;
  return countries.length === 0 || (country !== null && countries.includes(country));
}
