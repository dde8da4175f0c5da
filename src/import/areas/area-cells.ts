import type { Point } from '../../core/geo.ts';
import type { AreaDraft } from './area-draft.ts';
import type { Shape } from './shape.ts';

const CELL_DEGREES = 0.1;
/** Maximum number of cells for one area. Larger areas are in a list of their own. */
const CELLS_MAX = 10_000;

export interface ShapedArea extends AreaDraft {
  shape: Shape;
}

/** Spatial index of areas. They must be added from the smallest to the largest. */
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
      for (let x = rowAt(west); x <= right; x++) this.#cells.getOrInsert(cellOf(y, x), []).push(area);
    }
  }

  containing(point: Point): ShapedArea[] {
    const isAround = ({ shape }: ShapedArea) => shape.contains(point);
    const matches = (this.#cells.get(cellOf(rowAt(point.lat), rowAt(point.lng))) ?? []).filter(isAround);
    const wide = this.#wide.filter(isAround);
    return wide.length === 0 ? matches : [...matches, ...wide].sort(bySize);
  }
}

export function bySize(a: ShapedArea, b: ShapedArea): number {
  return a.shape.km2 - b.shape.km2 || (a.source_ref < b.source_ref ? -1 : 1);
}

const rowAt = (degrees: number) => Math.floor(degrees / CELL_DEGREES);
const COLUMNS = Math.round(360 / CELL_DEGREES);
const cellOf = (row: number, column: number) => row * COLUMNS + (((column % COLUMNS) + COLUMNS) % COLUMNS);
