import { METRES_PER_DEGREE, type BoundingBox, type Point } from '../../core/geo.ts';
import { boundsOf, isClosed, type Line, near } from '../centre.ts';

const UNITS_PER_DEGREE = 1e7;
const TURN = 360 * UNITS_PER_DEGREE;
const UNITS_MAX = 0x7fffffff;
// Average number of corners per row; looking up one position reads only one row.
const CORNERS_PER_ROW = 8;
const ROWS_MAX = 4_096;
// An edge is stored in every row that it crosses, so shapes with long edges get fewer rows.
const ROWS_PER_EDGE_MAX = 8;

/** Area as closed rings, including holes: a point is inside when an odd number of rings contain it. */
export class Shape {
  /** Longitude, latitude, longitude … of all rings, one after the other. */
  readonly #corners: Int32Array;
  /** Parts of the corners. */
  readonly #rings: readonly Int32Array[];
  /** In units of 1e-7 degrees; across the date line, east continues beyond 180 degrees. */
  readonly #west: number;
  readonly #south: number;
  readonly #east: number;
  readonly #north: number;
  readonly km2: number;
  /** Edges in rows from south to north. Built on first use. */
  #rows: EdgeRows | undefined;

  private constructor(rings: readonly Int32Array[]) {
    this.#corners = new Int32Array(rings.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    this.#rings = rings.map((ring) => {
      this.#corners.set(ring, end);
      end += ring.length;
      return this.#corners.subarray(end - ring.length, end);
    });
    const { west, south, east, north } = boundsOf(rings);
    [this.#west, this.#south, this.#east, this.#north] = [west, south, east, north];
    this.km2 = rings.reduce((sum, ring) => sum + ringKm2(ring), 0);
  }

  /** Returns null when a line is not closed, or the rings reach around half of the globe. */
  static ofLines(lines: readonly Line[]): Shape | null {
    const origin = (lines[0]?.[0] ?? 0) * UNITS_PER_DEGREE;
    const rings: Int32Array[] = [];
    for (const line of lines) {
      if (!isClosed(line)) return null;
      const units = line.map((degrees, at) => {
        const value = Math.round(degrees * UNITS_PER_DEGREE);
        return at % 2 === 0 ? near(value, origin, TURN) : value;
      });
      if (units.some((value) => Math.abs(value) > UNITS_MAX)) return null;
      rings.push(Int32Array.from(units));
    }
    return rings.length === 0 ? null : new Shape(rings);
  }

  static ofBytes(bytes: Uint8Array): Shape {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const rings: Int32Array[] = [];
    for (let at = 0; at < bytes.length;) {
      const length = view.getUint32(at, true);
      const from = (at += 4);
      rings.push(Int32Array.from({ length }, (_, i) => view.getInt32(from + i * 4, true)));
      at += length * 4;
    }
    return new Shape(rings);
  }

  toBytes(): Buffer {
    const bytes = Buffer.alloc(this.#rings.reduce((sum, { length }) => sum + 4 + length * 4, 0));
    let at = 0;
    for (const ring of this.#rings) {
      at = bytes.writeUInt32LE(ring.length, at);
      for (const value of ring) at = bytes.writeInt32LE(value, at);
    }
    return bytes;
  }

  /** In degrees. */
  get extent(): BoundingBox {
    return {
      west: this.#west / UNITS_PER_DEGREE,
      south: this.#south / UNITS_PER_DEGREE,
      east: this.#east / UNITS_PER_DEGREE,
      north: this.#north / UNITS_PER_DEGREE,
    };
  }

  /** `rowsOf` returns the rows of a shape; by default they are kept as long as it. */
  contains({ lat, lng }: Point, rowsOf: (shape: Shape) => EdgeRows = keptRows): boolean {
    const y = Math.round(lat * UNITS_PER_DEGREE);
    if (y < this.#south || y > this.#north) return false;
    let x = Math.round(lng * UNITS_PER_DEGREE);
    if (x < this.#west) x += TURN;
    else if (x > this.#east) x -= TURN;
    if (x < this.#west || x > this.#east) return false;
    const corners = this.#corners;
    const { edges, ends } = rowsOf(this);
    const row = this.#rowOf(y, ends.length);
    let inside = false;
    for (let at = ends[row - 1] ?? 0; at < (ends[row] ?? 0); at++) {
      const edge = edges[at] ?? 0;
      const y1 = corners[edge + 1] ?? 0;
      const y2 = corners[edge + 3] ?? 0;
      if (y1 > y === y2 > y) continue;
      const x1 = corners[edge] ?? 0;
      if (x < ((y - y1) / (y2 - y1)) * ((corners[edge + 2] ?? 0) - x1) + x1) inside = !inside;
    }
    return inside;
  }

  #rowOf(y: number, rows: number): number {
    const height = Math.max(1, this.#north - this.#south);
    return Math.min(rows - 1, Math.floor(((y - this.#south) / height) * rows));
  }

  /** Returns the total vertical length of the edges, as a multiple of the shape's height. */
  #climbs(): number {
    let climbed = 0;
    for (const ring of this.#rings)
      for (let at = 3; at < ring.length; at += 2) climbed += Math.abs((ring[at] ?? 0) - (ring[at - 2] ?? 0));
    return climbed / Math.max(1, this.#north - this.#south);
  }

  get rows(): EdgeRows {
    return (this.#rows ??= this.makeRows());
  }

  makeRows(): EdgeRows {
    const corners = this.#corners.length / 2;
    const crossed = Math.max(1, (ROWS_PER_EDGE_MAX * corners) / Math.max(1, this.#climbs()));
    const count = Math.floor(Math.min(ROWS_MAX, Math.ceil(corners / CORNERS_PER_ROW), crossed));
    const ends = new Uint32Array(count);
    this.#eachCrossing(count, (row) => (ends[row] = (ends[row] ?? 0) + 1));
    let sum = 0;
    // Each row begins at its start here, and grows to its end as its edges are written.
    for (let row = 0; row < count; row++) [ends[row], sum] = [sum, sum + (ends[row] ?? 0)];
    const edges = new Uint32Array(sum);
    this.#eachCrossing(count, (row, edge) => {
      const at = ends[row] ?? 0;
      edges[at] = edge;
      ends[row] = at + 1;
    });
    return { edges, ends };
  }

  /** Calls `visit` with each row that an edge reaches, and the position of the edge among the corners. */
  #eachCrossing(count: number, visit: (row: number, edge: number) => void): void {
    let first = 0;
    for (const { length } of this.#rings) {
      for (let edge = first; edge + 3 < first + length; edge += 2) {
        const [y1, y2] = [this.#corners[edge + 1] ?? 0, this.#corners[edge + 3] ?? 0];
        const last = this.#rowOf(Math.max(y1, y2), count);
        for (let row = this.#rowOf(Math.min(y1, y2), count); row <= last; row++) visit(row, edge);
      }
      first += length;
    }
  }
}

/** Edges by row, in little memory: a map may have a hundred thousand shapes. */
export interface EdgeRows {
  /** Positions of the first corners of edges, row by row. */
  edges: Uint32Array;
  /** Ends of the rows in `edges`. */
  ends: Uint32Array;
}

function keptRows(shape: Shape): EdgeRows {
  return shape.rows;
}

function ringKm2(ring: Int32Array): number {
  let twice = 0;
  const [originX = 0, originY = 0] = ring;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [x1, y1] = [ring[at] ?? 0, ring[at + 1] ?? 0];
    const [x2, y2] = [ring[at + 2] ?? 0, ring[at + 3] ?? 0];
    twice += (x1 - originX) * (y2 - originY) - (x2 - originX) * (y1 - originY);
  }
  const shrink = Math.cos((originY / UNITS_PER_DEGREE) * (Math.PI / 180));
  return (Math.abs(twice) / 2 / UNITS_PER_DEGREE ** 2) * (METRES_PER_DEGREE / 1000) ** 2 * shrink;
}
