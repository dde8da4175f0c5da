import type { Line } from '../../import/centre.ts';

/** Units along the side of a tile. */
export const EXTENT = 4_096;
/** Margin of a tile in units, so that strokes do not end at its edge. */
export const MARGIN = 64;

const RADIANS = Math.PI / 180;

/** Returns a position in the Mercator projection, from 0 to 1, and 0 in the north. */
export function mercatorX(lng: number): number {
  return lng / 360 + 0.5;
}

export function mercatorY(lat: number): number {
  const sine = Math.sin(lat * RADIANS);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Projects flat coordinates from degrees to units of a zoom. */
export function project(line: Line, scale: number): number[] {
  const projected: number[] = new Array<number>(line.length);
  for (let at = 0; at + 1 < line.length; at += 2) {
    projected[at] = mercatorX(line[at] ?? 0) * scale;
    projected[at + 1] = mercatorY(line[at + 1] ?? 0) * scale;
  }
  return projected;
}

/** Removes corners that lie closer to the simplified line than the tolerance (Douglas and Peucker). */
export function simplify(line: readonly number[], tolerance: number): number[] {
  const last = line.length - 2;
  if (last < 4) return [...line];
  const kept = new Uint8Array(line.length / 2);
  kept[0] = kept[last / 2] = 1;
  const square = tolerance * tolerance;
  const spans: number[] = [0, last];
  while (spans.length > 0) {
    const end = spans.pop() ?? 0;
    const start = spans.pop() ?? 0;
    let farthest = square;
    let corner = -1;
    for (let at = start + 2; at < end; at += 2) {
      const distance = squareDistance(line, at, start, end);
      if (distance > farthest) [farthest, corner] = [distance, at];
    }
    if (corner < 0) continue;
    kept[corner / 2] = 1;
    spans.push(start, corner, corner, end);
  }
  const simple: number[] = [];
  for (let at = 0; at <= last; at += 2) if (kept[at / 2] === 1) simple.push(line[at] ?? 0, line[at + 1] ?? 0);
  return simple;
}

function squareDistance(line: readonly number[], at: number, start: number, end: number): number {
  const px = line[at] ?? 0;
  const py = line[at + 1] ?? 0;
  let x = line[start] ?? 0;
  let y = line[start + 1] ?? 0;
  const dx = (line[end] ?? 0) - x;
  const dy = (line[end + 1] ?? 0) - y;
  const length = dx * dx + dy * dy;
  if (length > 0) {
    const share = Math.max(0, Math.min(1, ((px - x) * dx + (py - y) * dy) / length));
    x += share * dx;
    y += share * dy;
  }
  return (px - x) ** 2 + (py - y) ** 2;
}

/** Returns twice the signed area; positive when the ring turns right on the screen, as outer rings of a tile do. */
export function doubleArea(ring: readonly number[]): number {
  let sum = 0;
  const originX = ring[0] ?? 0;
  const originY = ring[1] ?? 0;
  for (let at = 0; at + 3 < ring.length; at += 2)
    sum +=
      ((ring[at] ?? 0) - originX) * ((ring[at + 3] ?? 0) - originY) -
      ((ring[at + 2] ?? 0) - originX) * ((ring[at + 1] ?? 0) - originY);
  return sum;
}

export function reversed(line: readonly number[]): number[] {
  const turned: number[] = [];
  for (let at = line.length - 2; at >= 0; at -= 2) turned.push(line[at] ?? 0, line[at + 1] ?? 0);
  return turned;
}

/** Clips an open line to a strip along one axis (0: x, 1: y). A line that leaves the strip becomes several. */
export function clipLine(line: readonly number[], axis: 0 | 1, low: number, high: number): number[][] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (let at = 0; at + 3 < line.length; at += 2) {
    const from = [line[at] ?? 0, line[at + 1] ?? 0] as const;
    const to = [line[at + 2] ?? 0, line[at + 3] ?? 0] as const;
    const enter = crossing(from, to, axis, low, high);
    const leave = crossing(to, from, axis, low, high);
    if (enter === undefined || leave === undefined) continue;
    if (piece.length === 0) piece.push(...enter);
    piece.push(...leave);
    if (leave[0] !== to[0] || leave[1] !== to[1]) {
      pieces.push(piece);
      piece = [];
    }
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

type Corner = readonly [x: number, y: number];

/** Returns the first point of a segment within the strip; undefined when the segment does not reach it. */
function crossing(from: Corner, to: Corner, axis: 0 | 1, low: number, high: number): Corner | undefined {
  const start = from[axis];
  const end = to[axis];
  if (start >= low && start <= high) return from;
  if (start < low) return end < low ? undefined : pointAt(from, to, axis, low);
  return end > high ? undefined : pointAt(from, to, axis, high);
}

function pointAt(from: Corner, to: Corner, axis: 0 | 1, limit: number): Corner {
  const share = (limit - from[axis]) / (to[axis] - from[axis]);
  return axis === 0
    ? [limit, from[1] + share * (to[1] - from[1])]
    : [from[0] + share * (to[0] - from[0]), limit];
}

/** Clips a closed ring to a strip along one axis. Parts outside become edges along the border. */
export function clipRing(ring: readonly number[], axis: 0 | 1, low: number, high: number): number[] {
  return clipEdge(clipEdge(ring, axis, low, 1), axis, high, -1);
}

function clipEdge(ring: readonly number[], axis: 0 | 1, limit: number, side: 1 | -1): number[] {
  const clipped: number[] = [];
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const from = [ring[at] ?? 0, ring[at + 1] ?? 0] as const;
    const to = [ring[at + 2] ?? 0, ring[at + 3] ?? 0] as const;
    const isFromInside = (from[axis] - limit) * side >= 0;
    const isToInside = (to[axis] - limit) * side >= 0;
    if (isFromInside) clipped.push(from[0], from[1]);
    if (isFromInside !== isToInside) clipped.push(...pointAt(from, to, axis, limit));
  }
  if (clipped.length > 0) clipped.push(clipped[0] ?? 0, clipped[1] ?? 0);
  return clipped;
}
