import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { MapNode, MapObjects, MapRelation, MapWay } from '../changes/map-object.ts';
import type { BoundingBox } from '../../core/geo.ts';
import type { MapHeader } from './header-block.ts';
import { row, writeDeltas, WireWriter } from './wire-writer.ts';

const pack = promisify(deflate);
const MEMBER_TYPES = ['node', 'way', 'relation'];
const SECOND_MS = 1000;

/** String table of a block, numbered in order of use. The format reserves number 0. */
class Texts {
  readonly #numbers = new Map([['', 0]]);

  number(text: string): number {
    return this.#numbers.getOrInsert(text, this.#numbers.size);
  }

  numbers(texts: Iterable<string>): number[] {
    return Array.from(texts, (text) => this.number(text));
  }

  table(): Buffer {
    const table = new WireWriter();
    for (const text of this.#numbers.keys()) table.part(1, Buffer.from(text));
    return table.bytes;
  }
}

export function writeBlock({ nodes, ways, relations }: MapObjects): Promise<Buffer> {
  const texts = new Texts();
  const block = new WireWriter();
  const groups: Buffer[] = [];
  if (nodes.length > 0) groups.push(new WireWriter().part(2, denseNodes(nodes, texts)).bytes);
  if (ways.length > 0)
    groups.push(groupOf(3, ways, (way) => objectMessage(way, texts).part(8, writeDeltas(way.refs)).bytes));
  if (relations.length > 0)
    groups.push(groupOf(4, relations, (relation) => relationMessage(relation, texts)));
  block.part(1, texts.table());
  for (const group of groups) block.part(2, group);
  return frame('OSMData', block.bytes);
}

export function writeHeader({ extractedAt, box, replication }: MapHeader): Promise<Buffer> {
  const header = new WireWriter();
  if (box !== null) header.part(1, boxMessage(box));
  for (const feature of ['OsmSchema-V0.6', 'DenseNodes']) header.part(4, Buffer.from(feature));
  if (extractedAt !== null) header.number(32, Math.floor(extractedAt.getTime() / SECOND_MS));
  if (replication !== null) header.number(33, replication.sequence).part(34, Buffer.from(replication.url));
  return frame('OSMHeader', header.bytes);
}

function boxMessage({ west, east, north, south }: BoundingBox): Buffer {
  const box = new WireWriter();
  for (const [at, side] of [west, east, north, south].entries())
    box.varint((at + 1) * 8).zigzag(Math.round(side * 1e9));
  return box.bytes;
}

async function frame(type: string, content: Buffer): Promise<Buffer> {
  const blob = new WireWriter().number(2, content.length).part(3, await pack(content)).bytes;
  const header = new WireWriter().part(1, Buffer.from(type)).number(3, blob.length).bytes;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, blob]);
}

function groupOf<One>(field: number, objects: readonly One[], write: (object: One) => Buffer): Buffer {
  const group = new WireWriter();
  for (const object of objects) group.part(field, write(object));
  return group.bytes;
}

/** Converts degrees to the format's unit, ten-millionths of a degree. */
const units = (degrees: number) => Math.round(degrees * 1e7);
const secondsOf = ({ changedAt }: { changedAt: Date | null }) =>
  // An invalid date would break those after it, which are written as differences.
  changedAt === null || Number.isNaN(changedAt.getTime()) ? 0 : Math.floor(changedAt.getTime() / SECOND_MS);

function denseNodes(nodes: readonly MapNode[], texts: Texts): Buffer {
  const tags: number[] = [];
  for (const node of nodes) {
    for (const [key, value] of node.tags) tags.push(texts.number(key), texts.number(value));
    tags.push(0);
  }
  return new WireWriter()
    .part(1, writeDeltas(nodes.map(({ id }) => id)))
    .part(5, new WireWriter().part(2, writeDeltas(nodes.map(secondsOf))).bytes)
    .part(8, writeDeltas(nodes.map(({ lat }) => units(lat))))
    .part(9, writeDeltas(nodes.map(({ lng }) => units(lng))))
    .part(10, row(tags)).bytes;
}

function objectMessage(object: MapWay | MapRelation, texts: Texts): WireWriter {
  const message = new WireWriter()
    .number(1, object.id)
    .part(2, row(texts.numbers(object.tags.keys())))
    .part(3, row(texts.numbers(object.tags.values())));
  // The time of the change is in a separate part.
  return object.changedAt === null
    ? message
    : message.part(4, new WireWriter().number(2, secondsOf(object)).bytes);
}

function relationMessage(relation: MapRelation, texts: Texts): Buffer {
  const { members } = relation;
  return objectMessage(relation, texts)
    .part(8, row(texts.numbers(members.map(({ role }) => role))))
    .part(9, writeDeltas(members.map(({ ref }) => ref)))
    .part(10, row(members.map(({ type }) => MEMBER_TYPES.indexOf(type)))).bytes;
}
