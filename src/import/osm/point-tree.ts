import type { Extent, Point } from '../centre.ts';

const POINTS_PER_LEAF = 8;

interface Branch<T> {
  box: Extent;
  /** How many of its points nobody has taken. */
  left: number;
  halves: [Branch<T>, Branch<T>] | null;
  /** The points of a branch without halves, taken or not. */
  all: readonly T[];
  /** Those of them that nobody has taken. */
  open: readonly T[];
}

/** Points that are found by box. A question looks at about the square root of them, wherever they lie. */
export class PointTree<T extends Point> {
  readonly #root: Branch<T> | null;

  constructor(points: readonly T[]) {
    this.#root = points.length === 0 ? null : grow(points, 'lat');
  }

  /** Whether a point lies in the extent, taken or not. */
  hasAny(extent: Extent): boolean {
    return boxesOf(extent).some((box) => this.#root !== null && hasAny(this.#root, box));
  }

  /** The points in the extent that were not taken before. Each point is given once. */
  take(extent: Extent): T[] {
    const taken: T[] = [];
    if (this.#root !== null) for (const box of boxesOf(extent)) take(this.#root, box, taken);
    return taken;
  }
}

function grow<T extends Point>(points: readonly T[], axis: 'lat' | 'lng'): Branch<T> {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const { lat, lng } of points) {
    box.west = Math.min(box.west, lng);
    box.south = Math.min(box.south, lat);
    box.east = Math.max(box.east, lng);
    box.north = Math.max(box.north, lat);
  }
  const left = points.length;
  // Points at one position cannot be told apart, however often they are divided.
  const isOnePosition = box.west === box.east && box.south === box.north;
  if (left <= POINTS_PER_LEAF || isOnePosition) return { box, left, halves: null, all: points, open: points };
  const sorted = points.toSorted((a, b) => a[axis] - b[axis]);
  const middle = Math.floor(left / 2);
  const other = axis === 'lat' ? 'lng' : 'lat';
  const halves: [Branch<T>, Branch<T>] = [
    grow(sorted.slice(0, middle), other),
    grow(sorted.slice(middle), other),
  ];
  return { box, left, halves, all: [], open: [] };
}

function hasAny<T extends Point>(branch: Branch<T>, box: Extent): boolean {
  if (isApart(branch.box, box)) return false;
  // Every side of a branch's box has a point on it.
  if (isWithin(branch.box, box)) return true;
  if (branch.halves !== null) return branch.halves.some((half) => hasAny(half, box));
  return branch.all.some((point) => isIn(point, box));
}

function take<T extends Point>(branch: Branch<T>, box: Extent, taken: T[]): void {
  if (branch.left === 0 || isApart(branch.box, box)) return;
  if (branch.halves !== null) {
    for (const half of branch.halves) take(half, box, taken);
    branch.left = branch.halves[0].left + branch.halves[1].left;
    return;
  }
  const rest: T[] = [];
  for (const point of branch.open) (isIn(point, box) ? taken : rest).push(point);
  branch.open = rest;
  branch.left = rest.length;
}

/** An extent across the date line is two boxes. */
function boxesOf(extent: Extent): Extent[] {
  if (extent.west <= extent.east) return [extent];
  return [
    { ...extent, east: 180 },
    { ...extent, west: -180 },
  ];
}

function isApart(a: Extent, b: Extent): boolean {
  return a.west > b.east || a.east < b.west || a.south > b.north || a.north < b.south;
}

function isWithin(inner: Extent, outer: Extent): boolean {
  return (
    inner.west >= outer.west &&
    inner.east <= outer.east &&
    inner.south >= outer.south &&
    inner.north <= outer.north
  );
}

function isIn({ lat, lng }: Point, { west, south, east, north }: Extent): boolean {
  return lat >= south && lat <= north && lng >= west && lng <= east;
}
