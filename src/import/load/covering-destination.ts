import type { Shape } from '../areas/shape.ts';
import type { Extent, Point } from '../centre.ts';
import { areaOf, contains } from '../settlement-extent.ts';

export interface ImportDestination extends Extent, Point {
  id: string;
  slug: string;
  country: string;
  timezone: string;
  /** Null where only the box around it is known. */
  outline?: Shape | null;
}

/** Finds the destination that covers a position. Cells of a degree keep that quick among thousands of them. */
export class CoveringDestination {
  readonly #cells = new Map<number, ImportDestination[]>();

  constructor(destinations: Iterable<ImportDestination> = []) {
    // The smallest comes first, so that the first one that covers a position is the right one.
    const bySize = [...destinations].sort((a, b) => areaOf(a) - areaOf(b) || (a.id < b.id ? -1 : 1));
    for (const destination of bySize) this.add(destination);
  }

  /** Those that are added later come after the others, whatever their size. */
  add(destination: ImportDestination): void {
    for (const cell of cellsOf(destination)) {
      const held = this.#cells.get(cell);
      if (held === undefined) this.#cells.set(cell, [destination]);
      else held.push(destination);
    }
  }

  at(point: Point): ImportDestination | undefined {
    const near = this.#cells.get(cellAt(point.lat, point.lng));
    return near?.find(
      (destination) => contains(destination, point) && destination.outline?.contains(point) !== false,
    );
  }
}

function cellAt(lat: number, lng: number): number {
  return (Math.floor(lat) + 90) * 361 + Math.floor(lng) + 180;
}

function* cellsOf({ west, south, east, north }: Extent): Generator<number> {
  const stretches = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
  for (let lat = Math.floor(south); lat <= north; lat++) {
    for (const [from, to] of stretches) {
      for (let lng = Math.floor(from); lng <= to; lng++) yield cellAt(lat, lng);
    }
  }
}
