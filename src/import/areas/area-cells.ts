import { LRUCache } from 'lru-cache';
import type { Point } from '../../core/geo.ts';
import type { AreaDraft } from './area-draft.ts';
import type { EdgeRows, Shape } from './shape.ts';

const CELL_DEGREES = 0.1;
/** Maximum number of cells for one area. Larger areas are in a list of their own. */
const CELLS_MAX = 10_000;
/** Maximum number of edges in the rows of recently used shapes; they take 24 MB. */
const EDGES_MAX = 6_000_000;

export interface ShapedArea extends AreaDraft {
  shape: Shape;
}

/** Spatial index of areas. They must be added from the smallest to the largest. */
export class AreaCells {
  readonly #cells = new Map<number, ShapedArea[]>();
  readonly #wide: ShapedArea[] = [];
  /** A large map has more rows than fit into memory, and its places lie near each other. */
  readonly #rows = new LRUCache<Shape, EdgeRows>({
    maxSize: EDGES_MAX,
    sizeCalculation: ({ edges }) => edges.length + 1,
    memoMethod: (shape) => shape.makeRows(),
  });
  readonly #rowsOf = (shape: Shape) => this.#rows.memo(shape);

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
    const isAround = ({ shape }: ShapedArea) => shape.contains(point, this.#rowsOf);
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
