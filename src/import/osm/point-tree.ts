import type { Point, BoundingBox } from '../../core/geo.ts';
import { boundsOf } from '../centre.ts';
import { contains, isWithin } from '../settlement-extent.ts';

const POINTS_PER_LEAF = 8;

interface Branch<T> {
  box: BoundingBox;
  /** Number of its points that have not been taken. */
  left: number;
  halves: [Branch<T>, Branch<T>] | null;
  /** Points of a branch without halves, taken or not. */
  all: readonly T[];
  open: readonly T[];
}

/** Spatial index of points by box. A query visits about the square root of their number, wherever they are. */
export class PointTree<T extends Point> {
  readonly #root: Branch<T> | null;

  constructor(points: readonly T[]) {
    this.#root = points.length === 0 ? null : grow(points, 'lat');
  }

  /** True when a point is in the extent, taken or not. */
  hasAny(extent: BoundingBox): boolean {
    return boxesOf(extent).some((box) => this.#root !== null && hasAny(this.#root, box));
  }

  /** Returns the points in the extent that have not been taken. Each point is returned only once. */
  take(extent: BoundingBox): T[] {
    const taken: T[] = [];
    if (this.#root !== null) for (const box of boxesOf(extent)) take(this.#root, box, taken);
    return taken;
  }
}

function grow<T extends Point>(points: readonly T[], axis: 'lat' | 'lng'): Branch<T> {
  const box = boundsOf(points.map(({ lat, lng }) => [lng, lat]));
  const count = points.length;
  // Points at the same position cannot be separated by further splitting.
  const isOnePosition = box.west === box.east && box.south === box.north;
  if (count <= POINTS_PER_LEAF || isOnePosition)
    return { box, left: count, halves: null, all: points, open: points };
  const sorted = points.toSorted((a, b) => a[axis] - b[axis]);
  const middle = Math.floor(count / 2);
  const nextAxis = axis === 'lat' ? 'lng' : 'lat';
  const halves: [Branch<T>, Branch<T>] = [
    grow(sorted.slice(0, middle), nextAxis),
    grow(sorted.slice(middle), nextAxis),
  ];
  return { box, left: count, halves, all: [], open: [] };
}

function hasAny<T extends Point>(branch: Branch<T>, box: BoundingBox): boolean {
  if (isApart(branch.box, box)) return false;
  // The box of a branch is tight, so it contains a point.
  if (isWithin(branch.box, box)) return true;
  if (branch.halves !== null) return branch.halves.some((half) => hasAny(half, box));
  return branch.all.some((point) => contains(box, point));
}

function take<T extends Point>(branch: Branch<T>, box: BoundingBox, taken: T[]): void {
  if (branch.left === 0 || isApart(branch.box, box)) return;
  if (branch.halves !== null) {
    for (const half of branch.halves) take(half, box, taken);
    branch.left = branch.halves[0].left + branch.halves[1].left;
    return;
  }
  const remaining: T[] = [];
  for (const point of branch.open) (contains(box, point) ? taken : remaining).push(point);
  branch.open = remaining;
  branch.left = remaining.length;
}

/** Splits an extent across the date line into two boxes. */
function boxesOf(extent: BoundingBox): BoundingBox[] {
  if (extent.west <= extent.east) return [extent];
  return [
    { ...extent, east: 180 },
    { ...extent, west: -180 },
  ];
}

function isApart(a: BoundingBox, b: BoundingBox): boolean {
  return a.west > b.east || a.east < b.west || a.south > b.north || a.north < b.south;
}
