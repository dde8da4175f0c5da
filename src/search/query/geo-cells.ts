import { METRES_PER_DEGREE, metresBetween, type BoundingBox, type Point } from '../../core/geo.ts';
import { bytesOf, term } from '../store/keys.ts';

/** Cells of the web-mercator grid as terms, so that "near" and "bbox" compose with every other filter. */
const LEVELS = [8, 11, 13, 15] as const;
type Level = (typeof LEVELS)[number];

const LAT_MAX = 85.0511;
const COVER_MAX = 12;

function column(lng: number, level: number): number {
  const size = 2 ** level;
  return Math.min(size - 1, Math.max(0, Math.floor(((lng + 180) / 360) * size)));
}

function row(lat: number, level: number): number {
  const size = 2 ** level;
  const clamped = Math.max(-LAT_MAX, Math.min(LAT_MAX, lat));
  const radians = (clamped * Math.PI) / 180;
  const y = (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2;
  return Math.min(size - 1, Math.max(0, Math.floor(y * size)));
}

function cellTerm(level: number, x: number, y: number): string {
  return term('g', '') + String.fromCharCode(level) + bytesOf(x, 2) + bytesOf(y, 2);
}

const FINEST = 15;

/** Returns the finest cell of a point, as a number. */
export function cellAt(lat: number, lng: number): number {
  return column(lng, FINEST) * 2 ** FINEST + row(lat, FINEST);
}

/** Returns the terms of a finest cell and of the larger cells around it. */
export function cellTerms(cell: number): string[] {
  const [x, y] = [Math.floor(cell / 2 ** FINEST), cell % 2 ** FINEST];
  return LEVELS.map((level) => cellTerm(level, x >> (FINEST - level), y >> (FINEST - level)));
}

/** Covers a box with at most a dozen cells of the finest possible level; undefined when the box is too large. */
export function coverBox(box: BoundingBox): string[] | undefined {
  for (const level of [...LEVELS].reverse()) {
    const cells = cover(box, level);
    if (cells !== undefined) return cells;
  }
  return undefined;
}

function cover(box: BoundingBox, level: Level): string[] | undefined {
  const size = 2 ** level;
  const [x1, x2] = [column(box.west, level), column(box.east, level)];
  const [y1, y2] = [row(box.north, level), row(box.south, level)];
  // A box across the date line has west > east and wraps around the grid.
  const columns = box.west <= box.east ? x2 - x1 + 1 : size - x1 + x2 + 1;
  if (columns * (y2 - y1 + 1) > COVER_MAX) return undefined;
  const cells: string[] = [];
  for (let i = 0; i < columns; i++)
    for (let y = y1; y <= y2; y++) cells.push(cellTerm(level, (x1 + i) % size, y));
  return cells;
}

/** True when the box contains the point; false for a place without a position. */
export function isInside(box: BoundingBox, point: Point | null): boolean {
  if (point === null) return false;
  const { lat, lng } = point;
  if (lat < box.south || lat > box.north) return false;
  return box.west <= box.east ? lng >= box.west && lng <= box.east : lng >= box.west || lng <= box.east;
}

/** Returns the box around a circle. At the poles it spans every longitude. */
export function boxAround(lat: number, lng: number, radiusM: number): BoundingBox {
  const dLat = radiusM / METRES_PER_DEGREE;
  const south = Math.max(-90, lat - dLat);
  const north = Math.min(90, lat + dLat);
  const widest = Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  const dLng = widest <= 1e-9 ? 180 : dLat / widest;
  if (dLng >= 180) return { west: -180, east: 180, south, north };
  const wrap = (value: number) => ((((value + 180) % 360) + 360) % 360) - 180;
  return { west: wrap(lng - dLng), east: wrap(lng + dLng), south, north };
}

/** Returns the distance in metres; Infinity for a place without a position. */
export function metresTo(from: Point, to: Point | null): number {
  return to === null ? Infinity : metresBetween(from, to);
}
