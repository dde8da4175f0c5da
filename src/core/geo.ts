export interface Point {
  lat: number;
  lng: number;
}

/** Degrees. A box across the date line has west > east. */
export interface BoundingBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Length of a degree of latitude, and of a degree of longitude at the equator. */
export const METRES_PER_DEGREE = EARTH_RADIUS_M * RADIANS;

export function metresBetween(a: Point, b: Point): number {
  const square =
    Math.sin(((b.lat - a.lat) * RADIANS) / 2) ** 2 +
    Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * Math.sin(((b.lng - a.lng) * RADIANS) / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(square)));
}
