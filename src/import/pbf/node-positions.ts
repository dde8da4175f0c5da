import { SortedIds } from './sorted-ids.ts';

const UNITS_PER_DEGREE = 1e7;
// Marks a node that is not in the file; no latitude reaches this value.
const ABSENT = 0x7fffffff;

/** Positions of outline nodes by id, in ten-millionths of a degree. */
export class NodePositions extends SortedIds {
  readonly #lat: Int32Array;
  readonly #lng: Int32Array;

  constructor(ids: Float64Array) {
    super(ids);
    this.#lat = new Int32Array(this.ids.length).fill(ABSENT);
    this.#lng = new Int32Array(this.ids.length);
  }

  put(index: number, lat: number, lng: number): void {
    this.#lat[index] = lat;
    this.#lng[index] = lng;
  }

  /** Returns longitude, latitude, longitude … of the given nodes, without those outside the file. */
  line(refs: Iterable<number>): number[] {
    const line: number[] = [];
    for (const id of refs) {
      const index = this.indexFrom(id);
      const lat = this.#lat[index];
      if (this.ids[index] !== id || lat === undefined || lat === ABSENT) continue;
      line.push((this.#lng[index] ?? 0) / UNITS_PER_DEGREE, lat / UNITS_PER_DEGREE);
    }
    return line;
  }
}
