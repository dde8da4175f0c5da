import { gunzipSync, gzipSync } from 'node:zlib';
import type { BoundingBox } from '../../core/geo.ts';
import { Wire } from '../../import/pbf/wire.ts';
import { WireWriter } from '../../import/pbf/wire-writer.ts';

/** Thrown for a file that is not an archive of vector tiles that we can serve. */
export class ArchiveError extends Error {}

/** Part of the file. */
export interface Span {
  offset: number;
  length: number;
}

/** Header of a PMTiles archive, version 3. Tile data and leaf directories are addressed relative to their section. */
export interface ArchiveHeader {
  root: Span;
  metadata: Span;
  leaves: Span;
  tiles: Span;
  counts: { addressed: number; entries: number; contents: number };
  minZoom: number;
  maxZoom: number;
  box: BoundingBox;
}

/** Entry of a directory. Without a run it points to a leaf directory; else to one tile for `run` consecutive numbers. */
export interface ArchiveEntry extends Span {
  id: number;
  run: number;
}

export const HEADER_BYTES = 127;
/** Header and root directory must lie within the first 16 KiB. */
export const OPENING_BYTES = 16_384;
const MAGIC = 'PMTiles';
const VERSION = 3;
const GZIP = 2;
const VECTOR_TILES = 1;
const UNITS_PER_DEGREE = 1e7;
const DIRECTORY_BYTES_MAX = 64 * 2 ** 20;

export function encodeHeader(header: ArchiveHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes[7] = VERSION;
  const { root, metadata, leaves, tiles, counts } = header;
  const numbers = [root, metadata, leaves, tiles].flatMap(({ offset, length }) => [offset, length]);
  for (const [at, number] of [...numbers, counts.addressed, counts.entries, counts.contents].entries())
    bytes.writeBigUInt64LE(BigInt(number), 8 + at * 8);
  // Clustered, directories and tiles compressed with gzip.
  bytes.set([1, GZIP, GZIP, VECTOR_TILES, header.minZoom, header.maxZoom], 96);
  const { west, south, east, north } = header.box;
  const degrees = [west, south, east, north].map((one) => Math.round(one * UNITS_PER_DEGREE));
  for (const [at, units] of degrees.entries()) bytes.writeInt32LE(units, 102 + at * 4);
  bytes[118] = Math.min(header.maxZoom, 12);
  bytes.writeInt32LE(Math.round(((west + east) / 2) * UNITS_PER_DEGREE), 119);
  bytes.writeInt32LE(Math.round(((south + north) / 2) * UNITS_PER_DEGREE), 123);
  return bytes;
}

/** Reads and checks a header. `size` is that of the file: a section beyond its end means that the file is truncated. */
export function decodeHeader(bytes: Buffer, size: number): ArchiveHeader {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 7) !== MAGIC)
    throw new ArchiveError('it is not a PMTiles archive');
  if (bytes[7] !== VERSION) throw new ArchiveError(`its version is ${bytes[7] ?? 0}, not ${VERSION}`);
  if (bytes[99] !== VECTOR_TILES) throw new ArchiveError('its tiles are pictures, not vector tiles');
  if (bytes[97] !== GZIP || bytes[98] !== GZIP) throw new ArchiveError('it is not compressed with gzip');
  const number = (at: number) => Number(bytes.readBigUInt64LE(at));
  const span = (at: number): Span => ({ offset: number(at), length: number(at + 8) });
  const degrees = (at: number) => bytes.readInt32LE(at) / UNITS_PER_DEGREE;
  const header: ArchiveHeader = {
    root: span(8),
    metadata: span(24),
    leaves: span(40),
    tiles: span(56),
    counts: { addressed: number(72), entries: number(80), contents: number(88) },
    minZoom: bytes[100] ?? 0,
    maxZoom: bytes[101] ?? 0,
    box: { west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114) },
  };
  for (const { offset, length } of [header.root, header.metadata, header.leaves, header.tiles])
    if (offset + length > size) throw new ArchiveError('it is truncated');
  return header;
}

export function encodeDirectory(entries: readonly ArchiveEntry[]): Buffer {
  const writer = new WireWriter().varint(entries.length);
  let before = 0;
  for (const { id } of entries) {
    writer.varint(id - before);
    before = id;
  }
  for (const { run } of entries) writer.varint(run);
  for (const { length } of entries) writer.varint(length);
  let end = 0;
  for (const [at, { offset, length }] of entries.entries()) {
    // Zero: it follows the entry before it.
    writer.varint(at > 0 && offset === end ? 0 : offset + 1);
    end = offset + length;
  }
  return gzipSync(writer.bytes, { level: 9 });
}

export function decodeDirectory(bytes: Uint8Array): ArchiveEntry[] {
  const wire = new Wire(gunzipSync(bytes, { maxOutputLength: DIRECTORY_BYTES_MAX }));
  const entries: ArchiveEntry[] = [];
  const count = wire.varint();
  // Each entry takes at least four bytes, so a number beyond that is damage and must not become an allocation.
  if (count * 4 > wire.end) throw new ArchiveError('a directory is damaged');
  let id = 0;
  for (let at = 0; at < count; at++)
    entries.push({ id: (id += wire.varint()), run: 0, length: 0, offset: 0 });
  for (const entry of entries) entry.run = wire.varint();
  for (const entry of entries) entry.length = wire.varint();
  let end = 0;
  for (const entry of entries) {
    const stored = wire.varint();
    entry.offset = stored === 0 ? end : stored - 1;
    end = entry.offset + entry.length;
  }
  return entries;
}

/** Returns the entry that contains a tile or leads to it. */
export function findEntry(entries: readonly ArchiveEntry[], id: number): ArchiveEntry | undefined {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.id ?? Infinity) <= id) low = middle + 1;
    else high = middle;
  }
  const entry = entries[low - 1];
  if (entry === undefined || (entry.run > 0 && id >= entry.id + entry.run)) return undefined;
  return entry;
}
