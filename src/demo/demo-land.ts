import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BoundingBox } from '../core/geo.ts';

export const widthOf = ({ west, east }: BoundingBox): number =>
  east >= west ? east - west : east - west + 360;

export const wrapLongitude = (lng: number): number => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);

/** Number of rows and columns into which an extent is divided. */
const CELLS = 40;
// Extents with less land count as land entirely, for islands too small for the map's scale.
const LAND_SHARE_MIN = 0.04;
const SEA_SHARE_COASTAL = 0.06;

/** Land cells of an extent, from a map at 1 : 10,000,000. */
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

  /** Both arguments are fractions of the extent, from its western and its southern edge. */
  isLand(eastward: number, northward: number): boolean {
    if (!this.#known) return true;
    const cell =
      Math.min(CELLS - 1, Math.floor(northward * CELLS)) * CELLS +
      Math.min(CELLS - 1, Math.floor(eastward * CELLS));
    return this.#cells[cell] === 1;
  }
}

/** World map as TopoJSON: arcs as delta-encoded integers, and the shapes built from them. */
interface Topology {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: readonly (readonly (readonly [number, number])[])[];
  objects: { land: { geometries: readonly { arcs: LineReferences }[] } };
}
type LineReferences = readonly (number | LineReferences)[];

/** Yields the indexes of all arcs that bound land. TopoJSON refers to a reversed arc by its complement. */
function* boundLines(references: LineReferences): Generator<number> {
  for (const reference of references) {
    if (typeof reference === 'number') yield reference < 0 ? ~reference : reference;
    else yield* boundLines(reference);
  }
}

/** Returns the first index in a sorted list whose value is not below the given one. */
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

/** Returns the longitudes where the coast crosses each latitude. Going east, there is land after every odd crossing. */
function coastCrossings(latitudes: Float64Array): Float64Array[] {
  const file = fileURLToPath(import.meta.resolve('world-atlas/land-10m.json'));
  const { transform, arcs, objects } = JSON.parse(readFileSync(file, 'utf8')) as Topology;
  const [scaleX, scaleY] = transform.scale;
  const [westmost, southmost] = transform.translate;
  const crossings = Array.from(latitudes, (): number[] => []);
  for (const line of boundLines(objects.land.geometries.map((geometry) => geometry.arcs))) {
    let [x, y] = [westmost, southmost];
    // Number of rows below the point. A coast advances in small steps, so the next count is close to this one.
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

/** Computes the land masks of all extents at once, because reading the world's coastline is the expensive part. */
export function landMasks(extents: readonly BoundingBox[]): LandMask[] {
  const rowOf = ({ south, north }: BoundingBox, row: number): number =>
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
        const lng = wrapLongitude(extent.west + ((column + 0.5) / CELLS) * width);
        cells[row * CELLS + column] = lowerBound(coast, lng) % 2;
      }
    }
    return new LandMask(cells);
  });
}
