import type { Point } from '../centre.ts';
import type { AreaDraft } from './area-draft.ts';
import type { Shape } from './shape.ts';

const CELL_DEGREES = 0.1;
/** An area over more cells than this, ten degrees by ten, is in a list of its own: each cell would hold it. */
const CELLS_MAX = 10_000;

export interface ShapedArea extends AreaDraft {
  shape: Shape;
}

/** Areas that are found by position. They must be added from the smallest to the largest. */
export class AreaCells {
  readonly #cells = new Map<number, ShapedArea[]>();
  readonly #wide: ShapedArea[] = [];

  add(area: ShapedArea): void {
    const { west, south, east, north } = area.shape.extent;
    const [top, right] = [rowAt(north), rowAt(east)];
    if ((top - rowAt(south) + 1) * (right - rowAt(west) + 1) > CELLS_MAX) {
      this.#wide.push(area);
      return;
    }
    for (let y = rowAt(south); y <= top; y++) {
      for (let x = rowAt(west); x <= right; x++) {
        const cell = cellOf(y, x);
        const held = this.#cells.get(cell);
        if (held === undefined) this.#cells.set(cell, [area]);
        else held.push(area);
      }
    }
  }

  /** The areas that a position lies in, the smallest first. */
  containing(point: Point): ShapedArea[] {
    const isAround = ({ shape }: ShapedArea) => shape.contains(point);
    const near = (this.#cells.get(cellOf(rowAt(point.lat), rowAt(point.lng))) ?? []).filter(isAround);
    const wide = this.#wide.filter(isAround);
    return wide.length === 0 ? near : [...near, ...wide].sort(bySize);
  }
}

export function bySize(a: ShapedArea, b: ShapedArea): number {
  return a.shape.km2 - b.shape.km2 || (a.source_ref < b.source_ref ? -1 : 1);
}

const rowAt = (degrees: number) => Math.floor(degrees / CELL_DEGREES);
const COLUMNS = Math.round(360 / CELL_DEGREES);
const cellOf = (row: number, column: number) => row * COLUMNS + (((column % COLUMNS) + COLUMNS) % COLUMNS);
