import { deflateSync } from 'node:zlib';

type Tags = Record<string, string>;

export interface MadeNode {
  id: number;
  lat: number;
  lng: number;
  tags?: Tags;
  /** In seconds since 1970. */
  changed?: number;
}

export interface MadeWay {
  id: number;
  refs: number[];
  tags?: Tags;
  changed?: number;
}

export interface MadeRelation {
  id: number;
  members: [type: 'node' | 'way' | 'relation', ref: number, role: string][];
  tags?: Tags;
}

export interface MadeMap {
  nodes?: MadeNode[];
  ways?: MadeWay[];
  relations?: MadeRelation[];
  /** In seconds since 1970. */
  extracted?: number;
  box?: { west: number; south: number; east: number; north: number };
  replication?: { url: string; sequence: number };
  features?: string[];
  plainNodes?: boolean;
  waysPerBlock?: number;
  raw?: boolean;
}

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const more = rest > 0x7fn;
    bytes.push(Number(rest & 0x7fn) | (more ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function zigzag(value: number): Buffer {
  const big = BigInt(value);
  return varint(big >= 0n ? big * 2n : -big * 2n - 1n);
}

function field(number: number, value: number): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

function part(number: number, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function deltas(values: number[]): Buffer[] {
  return values.map((value, at) => zigzag(value - (values[at - 1] ?? 0)));
}

/** The texts of a block, numbered as they are asked for. Number 0 is reserved by the format. */
class Texts {
  readonly #numbers = new Map([['', 0]]);

  number(text: string): number {
    const known = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, known);
    return known;
  }

  tags(tags: Tags = {}): Buffer[] {
    const keys = Object.keys(tags).map((key) => varint(this.number(key)));
    const values = Object.values(tags).map((value) => varint(this.number(value)));
    return [part(2, ...keys), part(3, ...values)];
  }

  table(): Buffer {
    return part(1, ...[...this.#numbers.keys()].map((text) => part(1, Buffer.from(text))));
  }
}

const units = (degrees: number): number => Math.round(degrees * 1e7);

function dense(nodes: MadeNode[], texts: Texts): Buffer {
  const row = nodes.flatMap(({ tags = {} }) => [
    ...Object.entries(tags).flatMap(([key, value]) => [
      varint(texts.number(key)),
      varint(texts.number(value)),
    ]),
    varint(0),
  ]);
  return part(
    2,
    part(1, ...deltas(nodes.map(({ id }) => id))),
    part(5, part(2, ...deltas(nodes.map(({ changed }) => changed ?? 0)))),
    part(8, ...deltas(nodes.map(({ lat }) => units(lat)))),
    part(9, ...deltas(nodes.map(({ lng }) => units(lng)))),
    part(10, ...row),
  );
}

function plain(nodes: MadeNode[], texts: Texts): Buffer {
  const messages = nodes.map(({ id, lat, lng, tags, changed = 0 }) =>
    part(
      1,
      varint(0x08),
      zigzag(id),
      ...texts.tags(tags),
      part(4, field(2, changed)),
      varint(0x40),
      zigzag(units(lat)),
      varint(0x48),
      zigzag(units(lng)),
    ),
  );
  return Buffer.concat(messages);
}

function wayMessage({ id, refs, tags, changed = 0 }: MadeWay, texts: Texts): Buffer {
  return part(3, field(1, id), ...texts.tags(tags), part(4, field(2, changed)), part(8, ...deltas(refs)));
}

function relationMessage({ id, members, tags }: MadeRelation, texts: Texts): Buffer {
  const kinds = ['node', 'way', 'relation'];
  return part(
    4,
    field(1, id),
    ...texts.tags(tags),
    part(8, ...members.map(([, , role]) => varint(texts.number(role)))),
    part(9, ...deltas(members.map(([, ref]) => ref))),
    part(10, ...members.map(([type]) => varint(kinds.indexOf(type)))),
  );
}

function boxMessage({ west, east, north, south }: NonNullable<MadeMap['box']>): Buffer {
  const sides = [west, east, north, south].map((side, at) =>
    Buffer.concat([varint((at + 1) << 3), zigzag(Math.round(side * 1e9))]),
  );
  return part(1, ...sides);
}

function frame(type: string, content: Buffer, raw: boolean): Buffer {
  const blob = raw
    ? part(1, content)
    : Buffer.concat([field(2, content.length), part(3, deflateSync(content))]);
  const header = Buffer.concat([part(1, Buffer.from(type)), field(3, blob.length)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, blob]);
}

/** Writes a small .osm.pbf: a header, then blocks of nodes, ways and relations. */
export function writeOsmPbf({ nodes = [], ways = [], relations = [], ...options }: MadeMap): Buffer {
  const {
    extracted = 0,
    features = ['OsmSchema-V0.6', 'DenseNodes'],
    plainNodes = false,
    raw = false,
    box,
    replication,
  } = options;
  const header = Buffer.concat([
    ...(box === undefined ? [] : [boxMessage(box)]),
    ...features.map((feature) => part(4, Buffer.from(feature))),
    ...(extracted === 0 ? [] : [field(32, extracted)]),
    ...(replication === undefined
      ? []
      : [field(33, replication.sequence), part(34, Buffer.from(replication.url))]),
  ]);
  const block = (fill: (texts: Texts) => Buffer): Buffer => {
    const texts = new Texts();
    const group = part(2, fill(texts));
    return frame('OSMData', Buffer.concat([texts.table(), group]), raw);
  };
  const { waysPerBlock = Math.max(1, ways.length) } = options;
  const wayBlocks: Buffer[] = [];
  for (let at = 0; at < ways.length; at += waysPerBlock) {
    const some = ways.slice(at, at + waysPerBlock);
    wayBlocks.push(block((texts) => Buffer.concat(some.map((way) => wayMessage(way, texts)))));
  }
  return Buffer.concat([
    frame('OSMHeader', header, raw),
    block((texts) => (plainNodes ? plain(nodes, texts) : dense(nodes, texts))),
    ...wayBlocks,
    block((texts) => Buffer.concat(relations.map((relation) => relationMessage(relation, texts)))),
  ]);
}
