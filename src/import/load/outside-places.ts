import type { AreaDraft } from '../areas/area-draft.ts';
import { metresBetween, type Point } from '../../core/geo.ts';

interface NearOutside {
  name: string;
  places: number;
}

const CELL_DEGREES = 0.02;
const CELLS_LOCATED = 200;
const SETTLEMENTS_LISTED = 8;
const SETTLEMENTS = new Set(['city', 'municipality', 'town', 'village', 'hamlet', 'suburb', 'island']);

/** Counts the places of a source that no destination covers, by position. */
export class OutsidePlaces {
  places = 0;
  readonly #cells = new Map<string, Point & { places: number }>();

  add({ lat, lng }: Point): void {
    this.places++;
    const key = `${Math.floor(lat / CELL_DEGREES)} ${Math.floor(lng / CELL_DEGREES)}`;
    this.#cells.getOrInsertComputed(key, () => ({ lat, lng, places: 0 })).places++;
  }

  nearest(areas: readonly AreaDraft[]): NearOutside[] {
    const settlements = areas.filter(({ kind }) => SETTLEMENTS.has(kind));
    const [first] = settlements;
    if (first === undefined) return [];
    const crowded = [...this.#cells.values()].sort((a, b) => b.places - a.places).slice(0, CELLS_LOCATED);
    const counts = new Map<AreaDraft, number>();
    for (const cell of crowded) {
      let [nearest, least] = [first, Infinity];
      for (const settlement of settlements) {
        const metres = metresBetween(cell, settlement);
        if (metres < least) [nearest, least] = [settlement, metres];
      }
      counts.set(nearest, (counts.get(nearest) ?? 0) + cell.places);
    }
    return [...counts]
      .map(([{ name }, places]) => ({ name, places }))
      .sort((a, b) => b.places - a.places || (a.name < b.name ? -1 : 1))
      .slice(0, SETTLEMENTS_LISTED);
  }
}
