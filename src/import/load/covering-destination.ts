import type { Shape } from '../areas/shape.ts';
import type { Point, BoundingBox } from '../../core/geo.ts';
import { areaOf, contains } from '../settlement-extent.ts';

export interface ImportDestination extends BoundingBox, Point {
  id: string;
  slug: string;
  country: string;
  timezone: string;
  /** Null when only the bounding box is known. */
  outline?: Shape | null;
}

/** Finds the destination that covers a position, by cells of one degree. */
export class CoveringDestination {
  readonly #cells = new Map<number, ImportDestination[]>();

  constructor(destinations: Iterable<ImportDestination> = []) {
    // Sorted by size, so that the first one that covers a position is the smallest.
    const bySize = [...destinations].sort((a, b) => areaOf(a) - areaOf(b) || (a.id < b.id ? -1 : 1));
    for (const destination of bySize) this.add(destination);
  }

  /** Destinations added later come after the others, regardless of size. */
  add(destination: ImportDestination): void {
    for (const cell of cellsOf(destination)) this.#cells.getOrInsert(cell, []).push(destination);
  }

  at(point: Point): ImportDestination | undefined {
    const candidates = this.#cells.get(cellAt(point.lat, point.lng));
    return candidates?.find(
      (destination) => contains(destination, point) && destination.outline?.contains(point) !== false,
    );
  }
}

function cellAt(lat: number, lng: number): number {
  return (Math.floor(lat) + 90) * 361 + Math.floor(lng) + 180;
}

function* cellsOf({ west, south, east, north }: BoundingBox): Generator<number> {
  const stretches = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
  for (let lat = Math.floor(south); lat <= north; lat++) {
    for (const [from, to] of stretches) {
      for (let lng = Math.floor(from); lng <= to; lng++) yield cellAt(lat, lng);
    }
  }
}
