import { Wire } from '../import/pbf/wire.ts';
import { row, WireWriter } from '../import/pbf/wire-writer.ts';

/** Tags of protobuf fields: number * 8 + wire type. */
const TILE_LAYER = 0x1a;
const LAYER = { name: 0x0a, feature: 0x12, key: 0x1a, value: 0x22, extent: 0x28, version: 0x78 } as const;
const FEATURE_TAGS = 0x12;
const EXTENT_DEFAULT = 4_096;

interface LayerParts {
  name: string;
  features: Uint8Array[];
  keys: Uint8Array[];
  values: Uint8Array[];
  extent: number;
}

/**
 * Merges uncompressed vector tiles of the same place from several maps. A tile must not contain two layers with one
 * name, so their features move into one layer.
 */
export function mergeTiles(tiles: readonly Uint8Array[]): Buffer {
  const merged = new Map<string, LayerParts>();
  for (const layer of tiles.flatMap(layersOf)) {
    // A layer with another extent would need new coordinates; no map that we know of has one.
    const key = `${layer.name} ${layer.extent}`;
    const target = merged.get(key);
    if (target === undefined) {
      merged.set(key, layer);
      continue;
    }
    const { keys, values } = target;
    target.features.push(...layer.features.map((one) => renumber(one, keys.length, values.length)));
    keys.push(...layer.keys);
    values.push(...layer.values);
  }
  const tile = new WireWriter();
  for (const layer of merged.values()) tile.part(3, encodeLayerParts(layer));
  return tile.bytes;
}

function layersOf(tile: Uint8Array): LayerParts[] {
  const wire = new Wire(tile);
  const layers: LayerParts[] = [];
  while (wire.seek(TILE_LAYER)) layers.push(readLayer(wire.part()));
  return layers;
}

function readLayer(wire: Wire): LayerParts {
  const layer: LayerParts = { name: '', features: [], keys: [], values: [], extent: EXTENT_DEFAULT };
  while (wire.more) {
    const field = wire.varint();
    if (field === LAYER.name) layer.name = Buffer.from(wire.slice()).toString();
    else if (field === LAYER.feature) layer.features.push(wire.slice());
    else if (field === LAYER.key) layer.keys.push(wire.slice());
    else if (field === LAYER.value) layer.values.push(wire.slice());
    else if (field === LAYER.extent) layer.extent = wire.varint();
    else wire.skip(field & 7);
  }
  return layer;
}

/** Moves the numbers of keys and values, which are positions in the tables of the layer. */
function renumber(feature: Uint8Array, keyOffset: number, valueOffset: number): Buffer {
  const wire = new Wire(feature);
  const writer = new WireWriter();
  while (wire.more) {
    const field = wire.varint();
    if (field === FEATURE_TAGS) {
      const tags = wire.part();
      const numbers: number[] = [];
      while (tags.more) numbers.push(tags.varint() + keyOffset, tags.varint() + valueOffset);
      writer.part(2, row(numbers));
    } else if ((field & 7) === 2) writer.part(field >>> 3, wire.slice());
    else writer.number(field >>> 3, wire.varint());
  }
  return writer.bytes;
}

function encodeLayerParts({ name, features, keys, values, extent }: LayerParts): Buffer {
  const writer = new WireWriter().number(15, 2).part(1, Buffer.from(name));
  for (const feature of features) writer.part(2, feature);
  for (const key of keys) writer.part(3, key);
  for (const value of values) writer.part(4, value);
  return writer.number(5, extent).bytes;
}
