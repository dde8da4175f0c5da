import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';

/** Reads a tile with the libraries of the format's authors. */
export function decodeVectorTile(bytes: Uint8Array): VectorTile {
  return new VectorTile(new PbfReader(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes));
}

export async function officialReader(path: string): Promise<PMTiles> {
  const bytes = await readFile(path);
  return new PMTiles({
    getKey: () => path,
    getBytes: (offset, length) => {
      const part = new Uint8Array(bytes.subarray(offset, offset + length));
      return Promise.resolve({ data: part.buffer });
    },
  });
}

/** Returns the tile of a zoom in which a position lies. */
export function tileAt(lat: number, lng: number, z: number): { z: number; x: number; y: number } {
  const sine = Math.sin((lat * Math.PI) / 180);
  const side = 2 ** z;
  return {
    z,
    x: Math.floor((lng / 360 + 0.5) * side),
    y: Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * side),
  };
}

export function featuresIn(tile: VectorTile, layer: string): VectorTileFeature[] {
  const found = tile.layers[layer];
  return found === undefined ? [] : Array.from({ length: found.length }, (_, at) => found.feature(at));
}

/** True when a polygon of these features covers the position, by the even-odd rule over all rings of a feature. */
export function covers(
  features: readonly VectorTileFeature[],
  { z, x, y }: { z: number; x: number; y: number },
  lat: number,
  lng: number,
): boolean {
  const fine = tileAt(lat, lng, z + 12);
  const [px, py] = [fine.x - x * 4096, fine.y - y * 4096];
  return features.some((feature) => {
    assert.equal(feature.extent, 4096);
    let inside = false;
    for (const ring of feature.loadGeometry())
      for (const [at, to] of ring.entries()) {
        const from = ring.at(at - 1) ?? to;
        if (from.y > py !== to.y > py && px < ((to.x - from.x) * (py - from.y)) / (to.y - from.y) + from.x)
          inside = !inside;
      }
    return inside;
  });
}
