import { Wire } from '../../import/pbf/wire.ts';
import { WireWriter } from '../../import/pbf/wire-writer.ts';
import type { TileGeometry } from './cut-feature.ts';
import { LAYERS, type FeatureKind, type FeatureShape } from './map-feature.ts';
import { EXTENT } from './plane.ts';

const SHAPES: readonly FeatureShape[] = ['point', 'line', 'polygon'];
/** Fields of Tile, Layer and Feature in the Mapbox vector tile specification, version 2.1. */
const TILE = { layer: 3 } as const;
const LAYER = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 } as const;
const FEATURE = { tags: 2, type: 3, geometry: 4 } as const;
const VALUE = { text: 1, whole: 5, truth: 7 } as const;
const COMMAND = { moveTo: 1, lineTo: 2, closePath: 7 } as const;
/** Rings that one feature may have, so that a reader which draws a part of the tile can skip the others. */
const RINGS_MAX = 200;

/** Encodes what a feature draws in one tile, for sorting. */
export function encodeRecord(kind: FeatureKind, geometry: TileGeometry): Buffer {
  const writer = new WireWriter();
  writer.varint(LAYERS.indexOf(kind.layer)).varint(SHAPES.indexOf(kind.shape));
  const properties = Buffer.from(JSON.stringify(kind.properties));
  writer.part(0, properties);
  for (const line of geometry) {
    writer.varint(line.length / 2);
    let [x, y] = [0, 0];
    for (let at = 0; at + 1 < line.length; at += 2) {
      writer.zigzag((line[at] ?? 0) - x).zigzag((line[at + 1] ?? 0) - y);
      [x, y] = [line[at] ?? 0, line[at + 1] ?? 0];
    }
  }
  return writer.bytes;
}

interface DrawnFeature {
  shape: FeatureShape;
  properties: string;
  geometry: number[][];
}

/** Encodes a vector tile from its records. Lines and polygons with equal properties become one feature. */
export function encodeTile(records: readonly Buffer[]): Buffer {
  const layers = LAYERS.map(() => new Map<string, DrawnFeature>());
  for (const [number, record] of records.entries()) {
    const wire = new Wire(record);
    const layer = layers[wire.varint()] ?? new Map<string, DrawnFeature>();
    const shapeNumber = wire.varint();
    const shape = SHAPES[shapeNumber] ?? 'point';
    wire.varint();
    const properties = Buffer.from(wire.slice()).toString();
    // Points stay single, because each has a label of its own.
    const name = `${shapeNumber}${properties}`;
    let key = shape === 'point' ? `${number} ${name}` : name;
    for (let more = 1; shape === 'polygon' && (layer.get(key)?.geometry.length ?? 0) >= RINGS_MAX; more++)
      key = `${more} ${name}`;
    const feature = layer.getOrInsert(key, { shape, properties, geometry: [] });
    while (wire.more) feature.geometry.push(readLine(wire));
  }
  const tile = new WireWriter();
  for (const [at, features] of layers.entries())
    if (features.size > 0) tile.part(TILE.layer, encodeLayer(LAYERS[at] ?? '', [...features.values()]));
  return tile.bytes;
}

function readLine(wire: Wire): number[] {
  const count = wire.varint();
  const line: number[] = [];
  let [x, y] = [0, 0];
  for (let at = 0; at < count; at++) line.push((x += wire.zigzag()), (y += wire.zigzag()));
  return line;
}

function encodeLayer(name: string, features: readonly DrawnFeature[]): Buffer {
  const keys = new Map<string, number>();
  const values = new Map<string, number>();
  const numberOf = (table: Map<string, number>, text: string) => table.getOrInsert(text, table.size);
  const layer = new WireWriter().number(LAYER.version, 2).part(LAYER.name, Buffer.from(name));
  for (const { shape, properties, geometry } of features) {
    const tags = new WireWriter();
    for (const [key, value] of Object.entries(JSON.parse(properties) as Record<string, unknown>))
      tags.varint(numberOf(keys, key)).varint(numberOf(values, JSON.stringify(value)));
    const joined = shape === 'line' ? joinLines(geometry) : geometry;
    const feature = new WireWriter()
      .part(FEATURE.tags, tags.bytes)
      .number(FEATURE.type, SHAPES.indexOf(shape) + 1)
      .part(FEATURE.geometry, encodeGeometry(shape, joined));
    layer.part(LAYER.feature, feature.bytes);
  }
  for (const key of keys.keys()) layer.part(LAYER.key, Buffer.from(key));
  for (const value of values.keys()) layer.part(LAYER.value, encodeValue(JSON.parse(value)));
  return layer.number(LAYER.extent, EXTENT).bytes;
}

function encodeValue(value: unknown): Buffer {
  const writer = new WireWriter();
  if (typeof value === 'string') return writer.part(VALUE.text, Buffer.from(value)).bytes;
  if (typeof value === 'number') return writer.number(VALUE.whole, value).bytes;
  return writer.number(VALUE.truth, value === true ? 1 : 0).bytes;
}

/** Joins lines that follow each other, so that the name of a street has room. */
function joinLines(lines: readonly number[][]): number[][] {
  const byStart = new Map<string, number[]>();
  const joined = new Set<number[]>();
  for (const line of lines) {
    joined.add(line);
    byStart.set(`${line[0] ?? 0} ${line[1] ?? 0}`, line);
  }
  for (const line of lines) {
    if (!joined.has(line)) continue;
    for (;;) {
      const next = byStart.get(`${line.at(-2) ?? 0} ${line.at(-1) ?? 0}`);
      if (next === undefined || next === line || !joined.has(next)) break;
      for (let at = 2; at < next.length; at++) line.push(next[at] ?? 0);
      joined.delete(next);
    }
  }
  return [...joined];
}

function encodeGeometry(shape: FeatureShape, lines: readonly (readonly number[])[]): Buffer {
  const writer = new WireWriter();
  let [x, y] = [0, 0];
  const step = (line: readonly number[], at: number) => {
    const [toX, toY] = [line[at] ?? 0, line[at + 1] ?? 0];
    writer.zigzag(toX - x).zigzag(toY - y);
    [x, y] = [toX, toY];
  };
  for (const line of lines) {
    // The last point of a ring repeats the first, and ClosePath stands for it.
    const points = line.length / 2 - (shape === 'polygon' ? 1 : 0);
    writer.varint((1 << 3) | COMMAND.moveTo);
    step(line, 0);
    if (points === 1) continue;
    writer.varint(((points - 1) << 3) | COMMAND.lineTo);
    for (let at = 1; at < points; at++) step(line, at * 2);
    if (shape === 'polygon') writer.varint((1 << 3) | COMMAND.closePath);
  }
  return writer.bytes;
}
