import type { BoundingBox, Point } from '../core/geo.ts';

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
function wrap(lng: number): number {
  if (lng > 180) return lng - 360;
  return lng < -180 ? lng + 360 : lng;
}

/**
 * Shifts a longitude to within 180 degrees of another one, so that an outline across the date line stays in one piece.
 */
function near(lng: number, from: number): number {
  if (lng - from > 180) return lng - 360;
  return from - lng > 180 ? lng + 360 : lng;
}

function isClosed(line: Line): boolean {
  return line.length >= 8 && line[0] === line.at(-2) && line[1] === line.at(-1);
}

/** Returns the weight of the segment between two points. */
type SegmentWeight = (x1: number, y1: number, x2: number, y2: number) => number;

/**
 * Returns the weighted centroid of the segments of a line. Coordinates are relative to the first point, to keep their
 * precision. `corners` are those of the figure that a segment counts for: itself, or a triangle with the first point.
 */
function segmentBalance(
  line: Line,
  originX: number,
  originY: number,
  corners: 2 | 3,
  weightOf: SegmentWeight,
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

/** Returns the centroid of a ring's area. */
function ringBalance(ring: Line, originX: number, originY: number): Weighted {
  return segmentBalance(ring, originX, originY, 3, (x1, y1, x2, y2) => x1 * y2 - x2 * y1);
}

/** Returns the centroid of a line, with segments weighted by their length on the ground. */
function lineBalance(line: Line, originX: number, originY: number): Weighted {
  const shrink = Math.cos(originY * RADIANS);
  return segmentBalance(line, originX, originY, 2, (x1, y1, x2, y2) =>
    Math.hypot((x2 - x1) * shrink, y2 - y1),
  );
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

/**
 * Returns the centre of lines and rings: by area when any ring is closed, else by length, else the mean of the points.
 */
export function centreOf(lines: readonly Line[]): Point | null {
  const nonEmpty = lines.filter((line) => line.length >= 2);
  const [originX, originY] = nonEmpty[0] ?? [];
  if (originX === undefined || originY === undefined) return null;
  const rings = nonEmpty.filter(isClosed);
  return (
    balance(
      rings.map((ring) => ringBalance(ring, originX, originY)),
      originX,
      originY,
    ) ??
    balance(
      nonEmpty.map((line) => lineBalance(line, originX, originY)),
      originX,
      originY,
    ) ??
    meanPoint(nonEmpty, originX)
  );
}

/** Returns the bounding box of lines. West is greater than east when it crosses the date line. */
export function extentOf(lines: readonly Line[]): BoundingBox | null {
  const origin = lines.find((line) => line.length >= 2)?.[0];
  if (origin === undefined) return null;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of lines) {
    for (let at = 0; at + 1 < line.length; at += 2) {
      const x = near(line[at] ?? 0, origin);
      const y = line[at + 1] ?? 0;
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    }
  }
  return { west: wrap(west), south, east: wrap(east), north };
}
