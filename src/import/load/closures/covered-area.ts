import type { Point, BoundingBox } from '../../../core/geo.ts';
import { contains } from '../../settlement-extent.ts';

export interface CoveredPoint extends Point {
  places: number;
}

const KM_PER_DEGREE = 111.195;
const REACH_KM = 10;
const CELL_DEGREES = 0.02;
const SECTORS = 16;
// Number of complete sectors in any half turn.
const SECTORS_IN_HALF = SECTORS / 2 - 1;
// Objects across the edge of an extract are complete in it, so it has a few places beyond its edge.
const PLACES_IN_HALF_MIN = 3;

/**
 * Area that a file covers: positions inside the box of its header that have places of the file on every side. The box
 * may be missing, wrong, or larger than the content. Beyond the edge of the extract, one half of the horizon has no
 * places of the file, wherever the edge is and whatever the header states.
 */
export class CoveredArea {
  readonly #box: BoundingBox | null;
  readonly #cells: ReadonlyMap<string, readonly CoveredPoint[]>;

  constructor(box: BoundingBox | null, points: Iterable<CoveredPoint>) {
    this.#box = box;
    this.#cells = Map.groupBy(points, ({ lat, lng }) => keyOf(rowOf(lat), rowOf(lng)));
  }

  covers(point: Point): boolean {
    if (this.#box !== null && !contains(this.#box, point)) return false;
    const sectors = new Array<number>(SECTORS).fill(0);
    for (const ring of ringsAround(point)) {
      for (const key of ring) {
        for (const covered of this.#cells.get(key) ?? []) addTo(sectors, point, covered);
      }
      if (isOnEverySide(sectors)) return true;
    }
    return false;
  }
}

function rowOf(degrees: number): number {
  return Math.floor(degrees / CELL_DEGREES);
}

function keyOf(row: number, column: number): string {
  return `${row} ${column}`;
}

function shrinkAt(lat: number): number {
  return Math.max(0.05, Math.cos((lat * Math.PI) / 180));
}

/** Yields the cells within reach, the nearest first, so that the search ends early in towns. */
function* ringsAround({ lat, lng }: Point): Generator<string[]> {
  const rows = Math.ceil(REACH_KM / KM_PER_DEGREE / CELL_DEGREES);
  const columns = Math.ceil(rows / shrinkAt(lat));
  const [row, column] = [rowOf(lat), rowOf(lng)];
  for (let ring = 0; ring <= columns; ring++) {
    const keys: string[] = [];
    const height = Math.min(ring, rows);
    for (let dy = -height; dy <= height; dy++) {
      const step = Math.abs(dy) === ring ? 1 : 2 * ring;
      for (let dx = -ring; dx <= ring; dx += step) keys.push(keyOf(row + dy, column + dx));
    }
    yield keys;
  }
}

function addTo(sectors: number[], from: Point, to: CoveredPoint): void {
  const north = (to.lat - from.lat) * KM_PER_DEGREE;
  const east = (to.lng - from.lng) * KM_PER_DEGREE * shrinkAt(from.lat);
  if (north * north + east * east > REACH_KM * REACH_KM) return;
  const turn = Math.atan2(north, east) / (2 * Math.PI) + 1;
  const sector = Math.floor(turn * SECTORS) % SECTORS;
  sectors[sector] = (sectors[sector] ?? 0) + to.places;
}

function isOnEverySide(sectors: readonly number[]): boolean {
  return sectors.every((_, first) => {
    let places = 0;
    for (let at = 0; at < SECTORS_IN_HALF; at++) places += sectors[(first + at) % SECTORS] ?? 0;
    return places >= PLACES_IN_HALF_MIN;
  });
}
