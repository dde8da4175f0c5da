import type { Point, BoundingBox } from '../core/geo.ts';
import { roundDegrees } from './centre.ts';
import type { Settlement } from './place-draft.ts';

const KM_PER_DEGREE = 111.195;
// Approximate population density of a built-up area; the rest of the radius is the outskirts.
const PEOPLE_PER_KM2 = 3000;
const OUTSKIRTS = 1.3;
// An island mapped only as a point is assumed to be small: beside a city it must not take the city's places.
const RADIUS_KM: Readonly<Record<Settlement['kind'], readonly [usual: number, min: number, max: number]>> = {
  country: [10, 4, 30],
  city: [10, 4, 30],
  town: [4, 2.5, 12],
  island: [1.5, 1, 12],
};

export function radiusKm(kind: Settlement['kind'], population: number | null): number {
  const [usual, min, max] = RADIUS_KM[kind];
  if (population === null) return usual;
  return Math.min(max, Math.max(min, Math.sqrt(population / PEOPLE_PER_KM2 / Math.PI) * OUTSKIRTS));
}

/** Returns the extent of a settlement that is mapped only as a point, from its population or else its kind. */
export function radiusExtent(
  kind: Settlement['kind'],
  population: number | null,
  { lat, lng }: Point,
): BoundingBox {
  return circleExtent({ lat, lng }, radiusKm(kind, population));
}

/** Returns the box around a circle. */
export function circleExtent({ lat, lng }: Point, km: number): BoundingBox {
  const north = km / KM_PER_DEGREE;
  const east = Math.min(180, north / Math.max(0.01, Math.cos((lat * Math.PI) / 180)));
  const wrap = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
  return {
    west: roundDegrees(wrap(lng - east)),
    south: roundDegrees(Math.max(-90, lat - north)),
    east: roundDegrees(wrap(lng + east)),
    north: roundDegrees(Math.min(90, lat + north)),
  };
}

function widthOf({ west, east }: BoundingBox): number {
  return east >= west ? east - west : east - west + 360;
}

export function areaOf(extent: BoundingBox): number {
  return widthOf(extent) * (extent.north - extent.south);
}

export function contains(extent: BoundingBox, { lat, lng }: Point): boolean {
  if (lat < extent.south || lat > extent.north) return false;
  if (extent.west <= extent.east) return lng >= extent.west && lng <= extent.east;
  return lng >= extent.west || lng <= extent.east;
}

/** True when `inner` lies within `outer`. Neither may cross the date line. */
export function isWithin(inner: BoundingBox, outer: BoundingBox): boolean {
  return (
    inner.west >= outer.west &&
    inner.east <= outer.east &&
    inner.south >= outer.south &&
    inner.north <= outer.north
  );
}

/** Returns the smallest extent that contains both. */
export function unite(a: BoundingBox, b: BoundingBox): BoundingBox {
  const from = (lng: number) => (lng < a.west - 180 ? lng + 360 : lng > a.west + 180 ? lng - 360 : lng);
  const west = Math.min(a.west, from(b.west));
  const east = Math.max(a.west + widthOf(a), from(b.west) + widthOf(b));
  return {
    west: west < -180 ? west + 360 : west,
    south: Math.min(a.south, b.south),
    east: east > 180 ? east - 360 : east,
    north: Math.max(a.north, b.north),
  };
}
