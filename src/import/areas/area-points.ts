import { AREA_REACH_M } from '../../directory/area-reach.ts';
import { metresBetween, type Point } from '../../core/geo.ts';
import type { AreaDraft } from './area-draft.ts';

const CELL_DEGREES = 0.05;
/** Higher than the number of columns, so that every cell has a unique key. */
const COLUMNS = 20_000;
/** Islands mapped as points are used when no settlement is near, since a place beside one may be on the mainland. */
const LAST_RESORTS = new Set(['island', 'islet']);

interface Near {
  area: AreaDraft;
  metres: number;
}

/** Spatial index of settlements that are mapped as points. */
export class AreaPoints {
  readonly #cells = new Map<number, { area: AreaDraft; within: AreaDraft | null }[]>();

  /** `within` is the smallest shape that contains the point. */
  add(area: AreaDraft, within: AreaDraft | null): void {
    const key = cellsAround(area, 0)[0] ?? 0;
    this.#cells.getOrInsert(key, []).push({ area, within });
  }

  nearest(point: Point, within: AreaDraft | null): AreaDraft | undefined {
    let best: Near | undefined;
    let resort: Near | undefined;
    for (const key of cellsAround(point, 1)) {
      for (const entry of this.#cells.get(key) ?? []) {
        if (entry.within !== within) continue;
        const { area } = entry;
        const metres = metresBetween(point, area);
        if (metres > (AREA_REACH_M[area.kind] ?? 0)) continue;
        const isResort = LAST_RESORTS.has(area.kind);
        const current = isResort ? resort : best;
        if (current !== undefined && current.metres <= metres) continue;
        if (isResort) resort = { area, metres };
        else best = { area, metres };
      }
    }
    return (best ?? resort)?.area;
  }
}

/** Returns the cell of a point and the cells around it. Columns are as wide as rows are high, at every latitude. */
function cellsAround({ lat, lng }: Point, reach: number): number[] {
  const row = Math.floor(lat / CELL_DEGREES);
  const keys: number[] = [];
  for (let dy = -reach; dy <= reach; dy++) {
    const shrink = Math.max(0.01, Math.cos(((row + dy + 0.5) * CELL_DEGREES * Math.PI) / 180));
    const column = Math.floor((lng * shrink) / CELL_DEGREES);
    for (let dx = -reach; dx <= reach; dx++) keys.push((row + dy) * COLUMNS + column + dx);
  }
  return keys;
}
