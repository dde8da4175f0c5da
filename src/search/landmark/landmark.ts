import type { Point } from '../../core/geo.ts';

/** Place, area, street or corner that results should be near to. */
export interface Landmark extends Point {
  /** Absent for an area, a street or a corner. */
  place_id?: string;
  name: string;
}

export interface FoundLandmark {
  landmark: Landmark;
  /** Others of this name, elsewhere. */
  others: Landmark[];
  /** True when its name was typed, and not only its kind. */
  isNamed: boolean;
  /** True for a station whose whole name was typed. */
  isStation: boolean;
}
