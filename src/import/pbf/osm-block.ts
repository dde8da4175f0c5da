import type { Tags } from '../categories.ts';
import type { MapNode } from '../changes/map-object.ts';
import type { NodePositions } from './node-positions.ts';
import { OsmObject } from './osm-object.ts';
import { BlockStrings } from './block-strings.ts';
import type { IdRange } from './sorted-ids.ts';
import type { WantedKeys } from './wanted-keys.ts';
import { Wire } from './wire.ts';

/** Fields of PrimitiveBlock, as tag bytes of the wire format. */
const BLOCK = {
  strings: 0x0a,
  group: 0x12,
  granularity: 0x88,
  dateGranularity: 0x90,
  latOffset: 0x98,
  lngOffset: 0xa0,
} as const;
/** Fields of PrimitiveGroup. */
const GROUP = { node: 0x0a, dense: 0x12, way: 0x1a, relation: 0x22 } as const;

interface DenseParts {
  ids: Wire;
  lat: Wire;
  lng: Wire;
  tags: Wire;
  times: Wire;
}

/** Uncompressed block of map objects, decoded lazily. */
export class OsmBlock {
  readonly strings: BlockStrings;
  readonly #groups: Wire[] = [];
  #granularity = 100;
  #latOffset = 0;
  #lngOffset = 0;
  #dateGranularity = 1000;

  constructor(bytes: Uint8Array, keys: WantedKeys) {
    const wire = new Wire(bytes);
    let strings: BlockStrings | null = null;
    while (wire.more) {
      const field = wire.varint();
      if (field === BLOCK.strings) strings = new BlockStrings(wire.part(), keys);
      else if (field === BLOCK.group) this.#groups.push(wire.part());
      else if (field === BLOCK.granularity) this.#granularity = wire.varint();
      else if (field === BLOCK.dateGranularity) this.#dateGranularity = wire.varint();
      else if (field === BLOCK.latOffset) this.#latOffset = wire.varint();
      else if (field === BLOCK.lngOffset) this.#lngOffset = wire.varint();
      else wire.skip(field & 7);
    }
    this.strings = strings ?? new BlockStrings(new Wire(bytes, 0, 0), keys);
  }

  *#parts(searched: number): Generator<Wire> {
    for (const group of this.#groups) {
      const wire = new Wire(group.bytes, group.pos, group.end);
      while (wire.seek(searched)) yield wire.part();
    }
  }

  *#objects(field: number): Generator<OsmObject> {
    for (const part of this.#parts(field)) yield new OsmObject(part, this.strings, this.#dateGranularity);
  }

  /** True when the block may contain relevant ways or relations. */
  get hasOutlines(): boolean {
    if (!this.strings.anyWanted) return false;
    return !this.#parts(GROUP.way).next().done || !this.#parts(GROUP.relation).next().done;
  }

  ways(): Generator<OsmObject> {
    return this.#objects(GROUP.way);
  }

  relations(): Generator<OsmObject> {
    return this.#objects(GROUP.relation);
  }

  /** Converts a stored coordinate to degrees. Integers are divided only once, so that no digit is lost. */
  #degrees(offset: number, stored: number): number {
    return (offset + this.#granularity * stored) / 1e9;
  }

  #mapNode(id: number, y: number, x: number, tags: Tags, changedAt: Date | null): MapNode {
    const lat = this.#degrees(this.#latOffset, y);
    return { id, lat, lng: this.#degrees(this.#lngOffset, x), tags, changedAt };
  }

  #plainNode(node: OsmObject): MapNode {
    return this.#mapNode(node.nodeId, node.lat, node.lng, node.tags(), node.changedAt());
  }

  #timeOf(time: number): Date | null {
    return time === 0 ? null : new Date(time * this.#dateGranularity);
  }

  *wantedNodes(): Generator<MapNode> {
    if (!this.strings.anyWanted) return;
    for (const node of this.#objects(GROUP.node)) if (node.wanted) yield this.#plainNode(node);
    for (const dense of this.#parts(GROUP.dense)) yield* this.#wantedDense(splitDense(dense));
  }

  *#wantedDense({ ids, lat, lng, tags, times }: DenseParts): Generator<MapNode> {
    let [id, y, x, time, at] = [0, 0, 0, 0, 0];
    for (const tagged of this.#taggedWithin(tags)) {
      for (; at <= tagged.index; at++) {
        id += ids.zigzag();
        y += lat.zigzag();
        x += lng.zigzag();
        if (times.more) time += times.zigzag();
      }
      yield this.#mapNode(id, y, x, this.strings.pairs(tagged.tags), this.#timeOf(time));
    }
  }

  *nodes(): Generator<MapNode> {
    for (const node of this.#objects(GROUP.node)) yield this.#plainNode(node);
    for (const dense of this.#parts(GROUP.dense)) {
      const { ids, lat, lng, tags, times } = splitDense(dense);
      let [id, y, x, time] = [0, 0, 0, 0];
      while (ids.more) {
        id += ids.zigzag();
        y += lat.zigzag();
        x += lng.zigzag();
        if (times.more) time += times.zigzag();
        yield this.#mapNode(id, y, x, this.#nextTags(tags), this.#timeOf(time));
      }
    }
  }

  #nextTags(row: Wire): Tags {
    const tags = new Map<string, string>();
    while (row.more) {
      const key = row.varint();
      if (key === 0) break;
      tags.set(this.strings.text(key), this.strings.text(row.varint()));
    }
    return tags;
  }

  /** Finds tagged nodes. Dense nodes store their tags in one row: key, value, key, value, 0 for each node in turn. */
  *#taggedWithin(row: Wire): Generator<{ index: number; tags: Wire }> {
    let start = row.pos;
    let hasWantedKey = false;
    let index = 0;
    while (row.more) {
      const before = row.pos;
      const key = row.varint();
      if (key !== 0) {
        if (this.strings.isWanted(key)) hasWantedKey = true;
        row.varint();
        continue;
      }
      if (hasWantedKey) yield { index, tags: new Wire(row.bytes, start, before) };
      index++;
      start = row.pos;
      hasWantedKey = false;
    }
  }

  nodeRange(): IdRange | null {
    return rangeOf((take) => {
      this.eachNodeId(take);
    });
  }

  eachNodeId(take: (id: number) => void): void {
    for (const node of this.#objects(GROUP.node)) take(node.nodeId);
    for (const dense of this.#parts(GROUP.dense)) {
      const { ids } = splitDense(dense);
      for (let id = 0; ids.more;) take((id += ids.zigzag()));
    }
  }

  wayRange(): IdRange | null {
    return rangeOf((take) => {
      for (const { id } of this.ways()) take(id);
    });
  }

  fillPositions(positions: NodePositions): void {
    // Stored coordinates are nanodegrees divided by the granularity; positions are in units of 100 nanodegrees.
    const put = (index: number, lat: number, lng: number) => {
      const y = Math.round((this.#latOffset + this.#granularity * lat) / 100);
      positions.put(index, y, Math.round((this.#lngOffset + this.#granularity * lng) / 100));
    };
    for (const node of this.#objects(GROUP.node)) {
      const index = positions.indexFrom(node.nodeId);
      if (positions.ids[index] === node.nodeId) put(index, node.lat, node.lng);
    }
    for (const dense of this.#parts(GROUP.dense)) fillDense(splitDense(dense), positions, put);
  }
}

function rangeOf(visit: (take: (id: number) => void) => void): IdRange | null {
  let [min, max] = [Infinity, -Infinity];
  visit((id) => {
    if (id < min) min = id;
    if (id > max) max = id;
  });
  return min === Infinity ? null : { min, max };
}

function fillDense(
  { ids, lat, lng }: DenseParts,
  positions: NodePositions,
  put: (index: number, lat: number, lng: number) => void,
): void {
  let [id, y, x] = [0, 0, 0];
  let next = -Infinity;
  while (ids.more) {
    const step = ids.zigzag();
    id += step;
    y += lat.zigzag();
    x += lng.zigzag();
    // Ids almost always ascend, and then one comparison shows that a node is not requested.
    if (step > 0 && id < next) continue;
    const index = positions.indexFrom(id);
    next = positions.ids[index] ?? Infinity;
    if (next === id) put(index, y, x);
  }
}

function splitDense(dense: Wire): DenseParts {
  const none = new Wire(dense.bytes, dense.end, dense.end);
  const parts: DenseParts = { ids: none, lat: none, lng: none, tags: none, times: none };
  while (dense.more) {
    const field = dense.varint();
    if (field === 0x0a) parts.ids = dense.part();
    else if (field === 0x2a) parts.times = timesOf(dense.part()) ?? none;
    else if (field === 0x42) parts.lat = dense.part();
    else if (field === 0x4a) parts.lng = dense.part();
    else if (field === 0x52) parts.tags = dense.part();
    else dense.skip(field & 7);
  }
  return parts;
}

function timesOf(info: Wire): Wire | undefined {
  return info.seek(0x12) ? info.part() : undefined;
}
