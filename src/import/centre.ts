import { METRES_PER_DEGREE, type BoundingBox, type Point } from '../core/geo.ts';

/** Line or ring as longitude, latitude, longitude …, in degrees. */
export type Line = readonly number[];

interface Weighted {
  x: number;
  y: number;
  weight: number;
}

const RADIANS = Math.PI / 180;

/** Rounds to seven digits, about a centimetre, the precision of map data. */
export function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

/** Normalizes a longitude to the range from -180 to 180. */
const wrap = (lng: number): number => near(lng, 0);

/** Shifts a longitude to within half a turn of another one, so that a ring across the date line stays in one piece. */
export function near(lng: number, from: number, turn = 360): number {
  if (lng - from > turn / 2) return lng - turn;
  return from - lng > turn / 2 ? lng + turn : lng;
}

/** Returns the bounds of flat coordinates: longitude, latitude, longitude … */
export function boundsOf(lines: Iterable<ArrayLike<number>>, xOf = (x: number) => x): BoundingBox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of lines) {
    for (let at = 0; at + 1 < line.length; at += 2) {
      const [x, y] = [xOf(line[at] ?? 0), line[at + 1] ?? 0];
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    }
  }
  return { west, south, east, north };
}

export function isClosed(line: Line): boolean {
  return line.length >= 8 && line[0] === line.at(-2) && line[1] === line.at(-1);
}

/** Returns the weighted centroid of segments relative to the first point. `corners` is 3 for triangles with that point. */
function segmentBalance(
  line: Line,
  originX: number,
  originY: number,
  corners: 2 | 3,
  weightOf: (x1: number, y1: number, x2: number, y2: number) => number,
): Weighted {
  let total = 0;
  let sumX = 0;
  let sumY = 0;
  for (let at = 0; at + 3 < line.length; at += 2) {
    const x1 = near(line[at] ?? 0, originX) - originX;
    const y1 = (line[at + 1] ?? 0) - originY;
    const x2 = near(line[at + 2] ?? 0, originX) - originX;
    const y2 = (line[at + 3] ?? 0) - originY;
    const weight = weightOf(x1, y1, x2, y2);
    total += weight;
    sumX += (x1 + x2) * weight;
    sumY += (y1 + y2) * weight;
  }
  if (total === 0) return { x: 0, y: 0, weight: 0 };
  return { x: sumX / (corners * total), y: sumY / (corners * total), weight: Math.abs(total) };
}

function balance(parts: readonly Weighted[], originX: number, originY: number): Point | null {
  let weight = 0;
  let x = 0;
  let y = 0;
  for (const part of parts) {
    weight += part.weight;
    x += part.x * part.weight;
    y += part.y * part.weight;
  }
  if (weight === 0) return null;
  return { lat: roundDegrees(originY + y / weight), lng: roundDegrees(wrap(originX + x / weight)) };
}

function meanPoint(lines: readonly Line[], originX: number): Point {
  let x = 0;
  let y = 0;
  let points = 0;
  for (const line of lines) {
    for (let at = 0; at + 1 < line.length; at += 2) {
      x += near(line[at] ?? 0, originX);
      y += line[at + 1] ?? 0;
      points++;
    }
  }
  return { lat: roundDegrees(y / points), lng: roundDegrees(wrap(x / points)) };
}

/** Returns the centre: by area when any ring is closed, else by length, else the mean of the points. */
export function centreOf(lines: readonly Line[]): Point | null {
  const nonEmpty = lines.filter((line) => line.length >= 2);
  const [originX, originY] = nonEmpty[0] ?? [];
  if (originX === undefined || originY === undefined) return null;
  const shrink = Math.cos(originY * RADIANS);
  const areas = nonEmpty
    .filter(isClosed)
    .map((ring) => segmentBalance(ring, originX, originY, 3, (x1, y1, x2, y2) => x1 * y2 - x2 * y1));
  // Segments are weighted by their length on the ground.
  const lengths = () =>
    nonEmpty.map((line) =>
      segmentBalance(line, originX, originY, 2, (x1, y1, x2, y2) => Math.hypot((x2 - x1) * shrink, y2 - y1)),
    );
  return (
    balance(areas, originX, originY) ?? balance(lengths(), originX, originY) ?? meanPoint(nonEmpty, originX)
  );
}

/** Returns the bounding box of lines. West is greater than east when it crosses the date line. */
export function extentOf(lines: readonly Line[]): BoundingBox | null {
  const origin = lines.find((line) => line.length >= 2)?.[0];
  if (origin === undefined) return null;
  const { west, south, east, north } = boundsOf(lines, (x) => near(x, origin));
  return { west: wrap(west), south, east: wrap(east), north };
}

/** Returns the area inside outlines in square metres, without their holes. An open line counts as if it were closed. */
export function squareMetresOf(lines: readonly Line[], holes: readonly Line[] = []): number {
  const sum = (all: readonly Line[]) => all.reduce((total, line) => total + ringSquareMetres(line), 0);
  return Math.max(0, sum(lines) - sum(holes));
}

function ringSquareMetres(line: Line): number {
  const [originX = 0, originY = 0] = line;
  let twice = 0;
  for (let at = 0; at + 3 < line.length; at += 2) {
    const [x1, y1] = [near(line[at] ?? 0, originX) - originX, (line[at + 1] ?? 0) - originY];
    const [x2, y2] = [near(line[at + 2] ?? 0, originX) - originX, (line[at + 3] ?? 0) - originY];
    twice += x1 * y2 - x2 * y1;
  }
  return (Math.abs(twice) / 2) * METRES_PER_DEGREE ** 2 * Math.cos(originY * RADIANS);
}
