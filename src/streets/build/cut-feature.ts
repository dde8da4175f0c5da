import type { Line } from '../../import/centre.ts';
import { type FeatureKind, MAX_ZOOM } from './map-feature.ts';
import type { MapFeature } from './map-reader.ts';
import {
  clipLine,
  clipRing,
  doubleArea,
  EXTENT,
  MARGIN,
  mercatorX,
  mercatorY,
  project,
  reversed,
  simplify,
} from './plane.ts';

/** Geometry of one tile in whole units relative to its corner: lines, or rings of which outer ones turn right. */
export type TileGeometry = number[][];

export type TakePiece = (z: number, x: number, y: number, kind: FeatureKind, geometry: TileGeometry) => void;

/** In units of a tile: details below a pixel of a small tile are left out; the last zoom is enlarged, so it keeps more. */
const TOLERANCE = 5;
const TOLERANCE_LAST = 1;
/** Smallest double area of a ring. */
const RING_MIN = 1_500;
const RING_MIN_LAST = 40;
/** From this zoom on, names of smaller roads fit beside them. */
const NAMES_FROM = 12;
const LEVELS_FROM = 13;

/** Cuts what an object draws into the tiles of all zooms. */
export function cutFeature(feature: MapFeature, take: TakePiece): void {
  for (const kind of feature.kinds) {
    if (kind.shape === 'point') cutPoint(feature, kind, take);
    else
      for (let z = kind.minZoom; z <= MAX_ZOOM; z++) {
        const shown = kind.layer === 'roads' ? forZoom(kind, z) : kind;
        if (kind.shape === 'line') cutLines(feature.lines, z, shown, take);
        else for (const rings of feature.polygons) cutPolygon(rings, z, shown, take);
      }
  }
}

function cutPoint({ centre }: MapFeature, kind: FeatureKind, take: TakePiece): void {
  for (let z = kind.minZoom; z <= MAX_ZOOM; z++) {
    const x = Math.floor(mercatorX(centre.lng) * EXTENT * 2 ** z);
    const y = Math.floor(mercatorY(centre.lat) * EXTENT * 2 ** z);
    const [column, row] = [Math.floor(x / EXTENT), Math.floor(y / EXTENT)];
    take(z, column, row, kind, [[x - column * EXTENT, y - row * EXTENT]]);
  }
}

/** Leaves out what cannot be seen at this zoom, so that more roads are equal and become one feature. */
function forZoom(kind: FeatureKind, z: number): FeatureKind {
  const isShown = (key: string) => {
    if (key.startsWith('name')) return z >= NAMES_FROM || kind.properties['kind'] === 'highway';
    if (key === 'ref') return z >= NAMES_FROM;
    return z >= LEVELS_FROM || !key.startsWith('is_');
  };
  const shown = Object.entries(kind.properties).filter(([key]) => isShown(key));
  return { ...kind, properties: Object.fromEntries(shown) };
}

interface TileRange {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns the tiles that lines touch. */
function rangeOf(lines: readonly (readonly number[])[], z: number): TileRange {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of lines)
    for (let at = 0; at + 1 < line.length; at += 2) {
      const [x = 0, y = 0] = [line[at], line[at + 1]];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  const last = 2 ** z - 1;
  const tile = (units: number) => Math.max(0, Math.min(last, Math.floor(units / EXTENT)));
  return {
    left: tile(left - MARGIN),
    top: tile(top - MARGIN),
    right: tile(right + MARGIN),
    bottom: tile(bottom + MARGIN),
  };
}

function toleranceAt(z: number): number {
  return z === MAX_ZOOM ? TOLERANCE_LAST : TOLERANCE;
}

function cutLines(lines: readonly Line[], z: number, kind: FeatureKind, take: TakePiece): void {
  const scale = EXTENT * 2 ** z;
  const simple = lines.map((line) => simplify(project(line, scale), toleranceAt(z)));
  split(simple, rangeOf(simple, z), clipLines, (x, y, pieces) => {
    const geometry = pieces.map((line) => whole(line, x, y)).filter((line) => line.length >= 4);
    if (geometry.length > 0) take(z, x, y, kind, geometry);
  });
}

function cutPolygon(rings: readonly Line[], z: number, kind: FeatureKind, take: TakePiece): void {
  const scale = EXTENT * 2 ** z;
  const min = z === MAX_ZOOM ? RING_MIN_LAST : RING_MIN;
  const simple: number[][] = [];
  for (const [at, ring] of rings.entries()) {
    const projected = project(ring, scale);
    const area = doubleArea(projected);
    if (Math.abs(area) < min) {
      if (at === 0) return;
      continue;
    }
    // The first ring is the outer one and turns right; holes turn left.
    const turned = area > 0 === (at === 0) ? projected : reversed(projected);
    simple.push(simplify(turned, toleranceAt(z)));
  }
  split(simple, rangeOf(simple, z), clipRings, (x, y, pieces) => {
    const geometry = wholeRings(pieces, x, y);
    if (geometry.length > 0) take(z, x, y, kind, geometry);
  });
}

/** Rounds rings to whole units of a tile. What became a line is left out, and with the outer ring its holes. */
export function wholeRings(pieces: readonly (readonly number[])[], x: number, y: number): TileGeometry {
  const geometry: TileGeometry = [];
  for (const [at, piece] of pieces.entries()) {
    const ring = whole(piece, x, y);
    const isFit = ring.length >= 8 && doubleArea(ring) !== 0;
    if (isFit) geometry.push(ring);
    else if (at === 0) return [];
  }
  return geometry;
}

type Clip = (
  lines: readonly (readonly number[])[],
  axis: 0 | 1,
  low: number,
  high: number,
) => (readonly number[])[];

function clipLines(
  lines: readonly (readonly number[])[],
  axis: 0 | 1,
  low: number,
  high: number,
): number[][] {
  return lines.flatMap((line) => clipLine(line, axis, low, high));
}

/** Clips rings; the outer ring stays the first one. */
export function clipRings(
  rings: readonly (readonly number[])[],
  axis: 0 | 1,
  low: number,
  high: number,
): number[][] {
  const [outer = [], ...holes] = rings.map((ring) => clipRing(ring, axis, low, high));
  return outer.length === 0 ? [] : [outer, ...holes.filter((hole) => hole.length > 0)];
}

/** Halves the range of tiles until one is left, so that each clip sees only the corners near its tiles. */
function split(
  lines: readonly (readonly number[])[],
  { left, top, right, bottom }: TileRange,
  clip: Clip,
  take: (x: number, y: number, pieces: readonly (readonly number[])[]) => void,
): void {
  if (lines.length === 0) return;
  if (left === right && top === bottom) {
    const across = clip(lines, 0, left * EXTENT - MARGIN, (left + 1) * EXTENT + MARGIN);
    const piece = clip(across, 1, top * EXTENT - MARGIN, (top + 1) * EXTENT + MARGIN);
    if (piece.length > 0) take(left, top, piece);
    return;
  }
  const isWide = right - left >= bottom - top;
  const middle = Math.floor(isWide ? (left + right) / 2 : (top + bottom) / 2);
  const axis = isWide ? 0 : 1;
  const edge = (middle + 1) * EXTENT;
  const before = isWide ? { left, top, right: middle, bottom } : { left, top, right, bottom: middle };
  const after = isWide ? { left: middle + 1, top, right, bottom } : { left, top: middle + 1, right, bottom };
  split(clip(lines, axis, -Infinity, edge + MARGIN), before, clip, take);
  split(clip(lines, axis, edge - MARGIN, Infinity), after, clip, take);
}

/** Rounds to whole units relative to the corner of a tile, and leaves out repeated points. */
function whole(line: readonly number[], x: number, y: number): number[] {
  const rounded: number[] = [];
  for (let at = 0; at + 1 < line.length; at += 2) {
    const px = Math.round((line[at] ?? 0) - x * EXTENT);
    const py = Math.round((line[at + 1] ?? 0) - y * EXTENT);
    if (rounded.length === 0 || rounded.at(-2) !== px || rounded.at(-1) !== py) rounded.push(px, py);
  }
  return rounded;
}
