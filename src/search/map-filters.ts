import { z } from 'zod';
import type { BoundingBox } from '../core/geo.ts';

export const RADIUS_DEFAULT_M = 2_000;
export const RADIUS_MAX_M = 50_000;

const isLat = (value: number | undefined) => value !== undefined && Math.abs(value) <= 90;
const isLng = (value: number | undefined) => value !== undefined && Math.abs(value) <= 180;
const numbers = (text: string) =>
  /^-?\d+(\.\d+)?(,-?\d+(\.\d+)?)*$/.test(text) ? text.split(',').map(Number) : [];

/** A point as text, because a query string has no other form. */
export const nearFilter = z
  .string()
  .max(60)
  .refine((text) => numbers(text).length === 2 && isLat(numbers(text)[0]) && isLng(numbers(text)[1]), {
    error: 'must be latitude and longitude, such as -8.69,115.17; send a neighbourhood as area',
  })
  .describe('latitude,longitude: nearest first.');

export const bboxFilter = z
  .string()
  .max(120)
  .refine(
    (text) => {
      const [west, south, east, north, ...more] = numbers(text);
      return (
        more.length === 0 &&
        isLng(west) &&
        isLat(south) &&
        isLng(east) &&
        isLat(north) &&
        (south ?? 0) < (north ?? 0)
      );
    },
    { error: 'must be west,south,east,north in degrees' },
  )
  .describe('west,south,east,north in degrees.');

export function readPoint(text: string): { lat: number; lng: number } {
  const [lat = 0, lng = 0] = numbers(text);
  return { lat, lng };
}

export function readBox(text: string): BoundingBox {
  const [west = 0, south = 0, east = 0, north = 0] = numbers(text);
  return { west, south, east, north };
}
