import type { BoundingBox } from '../../core/geo.ts';
import { boundsOf, type Line } from '../../import/centre.ts';
import { clipRings, wholeRings, type TakePiece } from './cut-feature.ts';
import { MAX_ZOOM, type FeatureKind } from './map-feature.ts';
import { followCoast, readFarCoasts, type FarCoast, type CoastFrame } from './far-coast.ts';
import { doubleArea, EXTENT, MARGIN, project, reversed, simplify } from './plane.ts';

/** Below this zoom tiles have no coast, because an extract shows only a piece of it. */
const COAST_FROM = 10;
/** Land and sea go on around the drawn tiles for one tile of this zoom, so that a map of a small town has no edge. */
const AROUND_ZOOM = 12;
/** Wider than a tile of that zoom, so that the end of the known coast is not in the middle of one. */
const BORDER_DEGREES = 0.5;
/** One unit more than the margin, so that the land lies strictly within the square of the sea. */
const SEA_MARGIN = MARGIN + 1;

const LAND: FeatureKind = {
  layer: 'earth',
  shape: 'polygon',
  minZoom: COAST_FROM,
  properties: { kind: 'earth' },
};
const SEA: FeatureKind = {
  layer: 'water',
  shape: 'polygon',
  minZoom: COAST_FROM,
  properties: { kind: 'ocean' },
};

/** Rings in units of the last zoom: land turns right, enclosed water turns left. */
interface CoastRings {
  land: number[][];
  water: number[][];
}

/**
 * Closes the coastlines of an extract into land. A line that ends inside the extract, because its rest is not in the
 * file, is continued along the coast of a coarser map, or else in its general direction. Returns null when the extract has no coast: all of it is land.
 */
export function closeCoast(coastlines: readonly Line[], box: BoundingBox | null): CoastRings | null {
  const { closed, open } = joinCoast(coastlines);
  if (closed.length + open.length === 0) return null;
  const around = boundsOf([
    ...closed,
    ...open,
    ...(box === null ? [] : [[box.west, box.south, box.east, box.north]]),
  ]);
  const frame: CoastFrame = {
    left: around.west - BORDER_DEGREES,
    right: around.east + BORDER_DEGREES,
    bottom: Math.max(-85, around.south - BORDER_DEGREES),
    top: Math.min(85, around.north + BORDER_DEGREES),
  };
  const rings: CoastRings = { land: [], water: [] };
  const scale = EXTENT * 2 ** MAX_ZOOM;
  for (const ring of [...closed, ...closeAlong(open, frame)]) {
    const projected = project(ring, scale);
    // The land is on the left, so land turns left; tiles want outer rings to turn right.
    if (doubleArea(projected) < 0) rings.land.push(reversed(projected));
    else rings.water.push(projected);
  }
  // Only islands: nothing says where the mainland is, so everything else is sea.
  return rings;
}

/** Joins lines end to start; their direction shows on which side the land is, so none is turned. */
function joinCoast(lines: readonly Line[]): { closed: number[][]; open: number[][] } {
  const byStart = new Map(lines.map((line) => [`${line[0] ?? 0} ${line[1] ?? 0}`, line]));
  const ends = new Set(lines.map((line) => `${line.at(-2) ?? 0} ${line.at(-1) ?? 0}`));
  const used = new Set<Line>();
  const closed: number[][] = [];
  const open: number[][] = [];
  const grow = (first: Line) => {
    const chain = [...first];
    used.add(first);
    for (;;) {
      const next = byStart.get(`${chain.at(-2) ?? 0} ${chain.at(-1) ?? 0}`);
      if (next === undefined || used.has(next)) break;
      used.add(next);
      for (let at = 2; at < next.length; at++) chain.push(next[at] ?? 0);
    }
    const isRing = chain[0] === chain.at(-2) && chain[1] === chain.at(-1);
    (isRing ? closed : open).push(chain);
  };
  // Lines that nothing leads to come first, so that a chain is not begun in its middle.
  for (const line of lines) if (!ends.has(`${line[0] ?? 0} ${line[1] ?? 0}`)) grow(line);
  for (const line of lines) if (!used.has(line)) grow(line);
  return { closed, open };
}

type Corner = readonly [x: number, y: number];

function cornerAt(line: readonly number[], at: number): Corner {
  return [line[at] ?? 0, line[at + 1] ?? 0];
}

/**
 * Continues a line beyond its end, in the direction from its beginning to its end, to the frame. Returns the point there
 * and its distance along the frame from the lower left corner, to the left.
 */
function toFrame(
  from: Corner,
  [x, y]: Corner,
  { left, right, bottom, top }: CoastFrame,
): [x: number, y: number, at: number] {
  const [dx, dy] = [x - from[0], y - from[1]];
  const [width, height] = [right - left, top - bottom];
  const across = dx > 0 ? (right - x) / dx : dx < 0 ? (left - x) / dx : Infinity;
  const along = dy > 0 ? (top - y) / dy : dy < 0 ? (bottom - y) / dy : Infinity;
  if (across === Infinity && along === Infinity) return [x, bottom, x - left];
  if (across <= along) {
    const sideY = y + across * dy;
    return dx > 0 ? [right, sideY, width + sideY - bottom] : [left, sideY, 2 * width + height + top - sideY];
  }
  const sideX = x + along * dx;
  return dy > 0 ? [sideX, top, width + height + right - sideX] : [sideX, bottom, sideX - left];
}

/** Continues a line beyond its end to the frame: along the coarser coast, or else straight on. */
function beyond(
  line: readonly number[],
  coasts: readonly FarCoast[],
  isAhead: boolean,
  frame: CoastFrame,
): { way: number[]; at: number } {
  const end = cornerAt(line, line.length - 2);
  const far = followCoast(coasts, end, isAhead, frame) ?? [];
  const inside = far.slice(0, -2);
  const [outX, outY] = cornerAt(far, far.length - 2);
  const [lastX, lastY] = inside.length > 0 ? cornerAt(inside, inside.length - 2) : end;
  const [x, y, at] =
    far.length === 0
      ? toFrame(cornerAt(line, 0), end, frame)
      : toFrame([2 * lastX - outX, 2 * lastY - outY], [lastX, lastY], frame);
  return { way: [...inside, x, y], at };
}

/** Closes open coastlines along the frame: from where one leaves the map to where the next one to the left enters it. */
function closeAlong(lines: readonly (readonly number[])[], frame: CoastFrame): number[][] {
  const { left, right, bottom, top } = frame;
  const [width, height] = [right - left, top - bottom];
  const corners: [at: number, x: number, y: number][] = [
    [0, left, bottom],
    [width, right, bottom],
    [width + height, right, top],
    [2 * width + height, left, top],
  ];
  const round = 2 * (width + height);
  // Several lines are pieces of a coast between which the coarser one would cross them.
  const coasts = lines.length === 1 ? readFarCoasts(frame) : [];
  const parts = lines.map((line) => {
    const start = beyond(reversed(line), coasts, false, frame);
    const end = beyond(line, coasts, true, frame);
    return { points: [...reversed(start.way), ...line, ...end.way], enters: start.at, leaves: end.at };
  });
  const used = new Set<(typeof parts)[number]>();
  const ahead = (from: number, to: number) => (to - from + round) % round;
  const rings: number[][] = [];
  for (const first of parts) {
    if (used.has(first)) continue;
    const ring: number[] = [];
    let part = first;
    do {
      used.add(part);
      ring.push(...part.points);
      const { leaves } = part;
      const next = parts.reduce((best, other) =>
        ahead(leaves, other.enters) < ahead(leaves, best.enters) ? other : best,
      );
      const way = ahead(leaves, next.enters);
      const passed = corners
        .filter(([at]) => ahead(leaves, at) < way)
        .sort(([a], [b]) => ahead(leaves, a) - ahead(leaves, b));
      for (const [, x, y] of passed) ring.push(x, y);
      part = next;
    } while (!used.has(part));
    ring.push(ring[0] ?? 0, ring[1] ?? 0);
    rings.push(ring);
  }
  return rings;
}

/** Writes land and sea into the tiles that contain anything and those around them. */
export function cutCoast(coast: CoastRings | null, drawnTiles: ReadonlySet<string>, take: TakePiece): void {
  const wanted = wantedTiles(drawnTiles, coast === null ? MAX_ZOOM : AROUND_ZOOM);
  const last = 2 ** (MAX_ZOOM - COAST_FROM);
  for (const address of wanted[COAST_FROM] ?? []) {
    const [x = 0, y = 0] = address.split(' ').map(Number);
    const clip = (ring: readonly number[]) => clipTile([ring], x, y, last);
    const tile = coast && { land: coast.land.flatMap(clip), water: coast.water.flatMap(clip) };
    cutTile(tile, { z: COAST_FROM, x, y }, wanted, take);
  }
}

/**
 * Returns the tiles by zoom as "x y": the drawn ones, those around them (the eight neighbours at a zoom, with all that
 * they contain), and the larger ones that contain them.
 */
function wantedTiles(drawnTiles: ReadonlySet<string>, aroundZoom: number): Set<string>[] {
  const wanted = Array.from({ length: MAX_ZOOM + 1 }, () => new Set<string>());
  const up = MAX_ZOOM - aroundZoom;
  const around = new Set<string>();
  for (const tile of drawnTiles) {
    const [x = 0, y = 0] = tile.split(' ').map((side) => Number(side) >> up);
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) around.add(`${x + dx} ${y + dy}`);
  }
  const parts = Array.from({ length: 2 ** up }, (_, at) => at);
  for (const tile of around) {
    const [x = 0, y = 0] = tile.split(' ').map((side) => Number(side) << up);
    for (const dx of parts) for (const dy of parts) wanted[MAX_ZOOM]?.add(`${x + dx} ${y + dy}`);
  }
  for (let z = MAX_ZOOM - 1; z >= COAST_FROM; z--)
    for (const tile of wanted[z + 1] ?? []) {
      const [x = 0, y = 0] = tile.split(' ').map(Number);
      wanted[z]?.add(`${x >> 1} ${y >> 1}`);
    }
  return wanted;
}

function clipTile(rings: readonly (readonly number[])[], x: number, y: number, tiles: number): number[][] {
  const [side, margin] = [EXTENT * tiles, MARGIN * tiles];
  const across = clipRings(rings, 0, x * side - margin, (x + 1) * side + margin);
  return clipRings(across, 1, y * side - margin, (y + 1) * side + margin);
}

/** Writes one tile, then its four parts from what is left of the coast in it. */
function cutTile(
  coast: CoastRings | null,
  { z, x, y }: { z: number; x: number; y: number },
  wanted: readonly ReadonlySet<string>[],
  take: TakePiece,
): void {
  const tiles = 2 ** (MAX_ZOOM - z);
  writeTile(coast, { z, x, y }, tiles, take);
  if (z === MAX_ZOOM) return;
  for (const [dx, dy] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const [column, row] = [x * 2 + dx, y * 2 + dy];
    if (wanted[z + 1]?.has(`${column} ${row}`) !== true) continue;
    const clip = (ring: readonly number[]) => clipTile([ring], column, row, tiles / 2);
    const part = coast && { land: coast.land.flatMap(clip), water: coast.water.flatMap(clip) };
    cutTile(part, { z: z + 1, x: column, y: row }, wanted, take);
  }
}

function writeTile(
  coast: CoastRings | null,
  { z, x, y }: { z: number; x: number; y: number },
  tiles: number,
  take: TakePiece,
): void {
  if (coast === null) {
    take(z, x, y, LAND, [square(MARGIN)]);
    return;
  }
  const toUnits = (ring: readonly number[]) => {
    const scaled = ring.map((value) => value / tiles);
    return wholeRings([z === MAX_ZOOM ? scaled : simplify(scaled, 2)], x, y);
  };
  const land = coast.land.flatMap(toUnits);
  const water = coast.water.flatMap(toUnits);
  const isLand = land.length === 1 && Math.abs(doubleArea(land[0] ?? [])) >= 2 * (EXTENT + 2 * MARGIN) ** 2;
  for (const ring of land) take(z, x, y, LAND, [ring]);
  if (!isLand) take(z, x, y, SEA, [square(SEA_MARGIN), ...land.map(reversed)]);
  for (const ring of water) take(z, x, y, SEA, [reversed(ring)]);
}

function square(margin: number): number[] {
  const [low, high] = [-margin, EXTENT + margin];
  return [low, low, high, low, high, high, low, high, low, low];
}
