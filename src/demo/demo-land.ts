import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A part of the world in degrees. West may be greater than east: then it crosses the date line. */
export interface Extent {
  west: number;
  south: number;
  east: number;
  north: number;
}

export const widthOf = ({ west, east }: Extent): number => (east >= west ? east - west : east - west + 360);

export const inLongitudes = (lng: number): number => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);

/** The extent is looked at in this many rows and columns. */
const CELLS = 40;
// Islands too small for the map's scale would else have no land at all.
const LAND_SHARE_MIN = 0.04;
const SEA_SHARE_COASTAL = 0.06;

/** Which parts of an extent are land, as far as a map at 1 : 10,000,000 tells. */
export class LandMask {
  readonly coastal: boolean;
  readonly #cells: Uint8Array;
  readonly #known: boolean;

  constructor(cells: Uint8Array) {
    const share = cells.reduce((sum, cell) => sum + cell, 0) / cells.length;
    this.#cells = cells;
    this.#known = share >= LAND_SHARE_MIN;
    this.coastal = share < 1 - SEA_SHARE_COASTAL;
  }

  /** Both are shares of the extent, from its west and from its south. */
  isLand(eastward: number, northward: number): boolean {
    if (!this.#known) return true;
    const cell =
      Math.min(CELLS - 1, Math.floor(northward * CELLS)) * CELLS +
      Math.min(CELLS - 1, Math.floor(eastward * CELLS));
    return this.#cells[cell] === 1;
  }
}

/** The map of the world as TopoJSON: lines of whole-number steps, and the shapes that are made of them. */
interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: readonly (readonly (readonly [number, number])[])[];
  objects: { land: { geometries: readonly { arcs: LineReferences }[] } };
}
type LineReferences = readonly (number | LineReferences)[];

/** The numbers of all lines that bound the land. A line that is walked backwards is given as its complement. */
function* boundLines(references: LineReferences): Generator<number> {
  for (const reference of references) {
    if (typeof reference === 'number') yield reference < 0 ? ~reference : reference;
    else yield* boundLines(reference);
  }
}

/** The first place in a sorted list that is not below the value. */
function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the coast crosses each latitude: between an odd crossing and the next one, going east, there is land. */
function coastCrossings(latitudes: Float64Array): Float64Array[] {
  const file = fileURLToPath(import.meta.resolve('world-atlas/land-10m.json'));
  const { transform, arcs, objects } = JSON.parse(readFileSync(file, 'utf8')) as Topology;
  const [scaleX, scaleY] = transform.scale;
  const [westmost, southmost] = transform.translate;
  const crossings = Array.from(latitudes, (): number[] => []);
  for (const line of boundLines(objects.land.geometries.map((geometry) => geometry.arcs))) {
    let [x, y] = [westmost, southmost];
    // How many rows lie below the point: a coast moves on by small steps, so the next count is near.
    let below = -1;
    for (const [stepX, stepY] of arcs[line] ?? []) {
      const [fromX, fromY] = [x, y];
      x += stepX * scaleX;
      y += stepY * scaleY;
      if (below < 0) below = lowerBound(latitudes, y);
      const before = below;
      while (below < latitudes.length && (latitudes[below] ?? 0) < y) below++;
      while (below > 0 && (latitudes[below - 1] ?? 0) >= y) below--;
      for (let row = Math.min(before, below); row < Math.max(before, below); row++) {
        crossings[row]?.push(fromX + (((latitudes[row] ?? 0) - fromY) / (y - fromY)) * (x - fromX));
      }
    }
  }
  return crossings.map((row) => Float64Array.from(row).sort());
}

const NO_COAST = new Float64Array();

/** Looks at the land in all extents at once, because reading the coast of the world is the costly part. */
export function landMasks(extents: readonly Extent[]): LandMask[] {
  const rowOf = ({ south, north }: Extent, row: number): number =>
    south + ((row + 0.5) / CELLS) * (north - south);
  const rows = extents.flatMap((extent) => Array.from({ length: CELLS }, (_, row) => rowOf(extent, row)));
  const latitudes = Float64Array.from(new Set(rows)).sort();
  const crossings = coastCrossings(latitudes);
  return extents.map((extent) => {
    const cells = new Uint8Array(CELLS * CELLS);
    const width = widthOf(extent);
    for (let row = 0; row < CELLS; row++) {
      const coast = crossings[lowerBound(latitudes, rowOf(extent, row))] ?? NO_COAST;
      for (let column = 0; column < CELLS; column++) {
        const lng = inLongitudes(extent.west + ((column + 0.5) / CELLS) * width);
        cells[row * CELLS + column] = lowerBound(coast, lng) % 2;
      }
    }
    return new LandMask(cells);
  });
}
