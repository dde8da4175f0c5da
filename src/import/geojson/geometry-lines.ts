import type { Line } from '../centre.ts';

interface Geometry {
  type?: unknown;
  coordinates?: unknown;
  geometries?: unknown;
}

function isPosition(value: unknown): value is [number, number] {
  if (!Array.isArray(value)) return false;
  const [lng, lat] = value as unknown[];
  return typeof lng === 'number' && typeof lat === 'number' && Math.abs(lng) <= 180 && Math.abs(lat) <= 90;
}

function lineOf(value: unknown): Line {
  return Array.isArray(value) ? value.filter(isPosition).flatMap(([lng, lat]) => [lng, lat]) : [];
}

function eachOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the outlines of a GeoJSON geometry, without holes, which do not affect the centre here. */
export function linesOf(geometry: unknown): Line[] {
  const { type, coordinates, geometries } = (geometry ?? {}) as Geometry;
  switch (type) {
    case 'Point':
      return [lineOf([coordinates])];
    case 'MultiPoint':
      return eachOf(coordinates).map((point) => lineOf([point]));
    case 'LineString':
      return [lineOf(coordinates)];
    case 'MultiLineString':
      return eachOf(coordinates).map(lineOf);
    case 'Polygon':
      return [lineOf(eachOf(coordinates)[0])];
    case 'MultiPolygon':
      return eachOf(coordinates).map((polygon) => lineOf(eachOf(polygon)[0]));
    case 'GeometryCollection':
      return eachOf(geometries).flatMap(linesOf);
    default:
      return [];
  }
}
