import { LEVEL, serialOf } from './rank.ts';
import { DamagedIndex } from './stored-place.ts';

/**
 * Maximum number of documents per block. Documents are stored in rank order as blocks that begin with their length and
 * their first document, so that a reader can skip blocks. Differences follow, seven bits per byte. In a built index
 * serials follow the rank, so differences stay small even where the score level changes; an odd number marks such a
 * change and is followed by its size.
 */
export const BLOCK_DOCS = 128;
const LENGTH_BYTES = 2;
const DOC_BYTES = 5;
/** Offset of the differences in a block. */
const REST_AT = LENGTH_BYTES + DOC_BYTES;
const ENTRY_BYTES_MAX = 7;

/** Packs a range of documents after a head. */
export function packDocs(docs: ArrayLike<number>, from: number, to: number, head: Buffer): Buffer {
  const blocks = Math.ceil((to - from) / BLOCK_DOCS);
  const packed = Buffer.allocUnsafe(head.length + blocks * REST_AT + (to - from) * ENTRY_BYTES_MAX);
  head.copy(packed);
  let at = head.length;
  for (let first = from; first < to; first += BLOCK_DOCS) {
    const end = packBlock(docs, first, Math.min(first + BLOCK_DOCS, to), packed, at);
    packed.writeUInt16LE(end - at, at);
    at = end;
  }
  return packed.subarray(0, at);
}

function packBlock(docs: ArrayLike<number>, from: number, to: number, target: Buffer, start: number): number {
  let last = docs[from] ?? 0;
  target.writeUIntLE(last, start + LENGTH_BYTES, DOC_BYTES);
  let at = start + REST_AT;
  for (let i = from + 1; i < to; i++) {
    const doc = docs[i] ?? 0;
    const step = serialOf(doc) - serialOf(last);
    const levels = Math.floor(doc / LEVEL) - Math.floor(last / LEVEL);
    if (levels === 0) at = writeNumber(target, at, step * 2);
    else {
      at = writeNumber(target, at, (step < 0 ? -step * 2 - 1 : step * 2) * 2 + 1);
      at = writeNumber(target, at, levels);
    }
    last = doc;
  }
  return at;
}

function writeNumber(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
  bytes[at++] = rest;
  return at;
}

/** Returns the offset of the next block. Throws on a length that would make a reader loop forever. */
export function nextBlock(bytes: Uint8Array, at: number): number {
  const length = (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256;
  if (length < REST_AT) throw new DamagedIndex('A block of a list has no length.');
  return at + length;
}

export function firstDoc(bytes: Uint8Array, start: number): number {
  const at = start + LENGTH_BYTES;
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return low + (bytes[at + 3] ?? 0) * 2 ** 24 + (bytes[at + 4] ?? 0) * 2 ** 32;
}

/** Reads a block and returns the number of its documents. */
export function readBlock(bytes: Uint8Array, start: number, target: Float64Array): number {
  const end = nextBlock(bytes, start);
  const first = firstDoc(bytes, start);
  let serial = serialOf(first);
  let base = first - serial;
  target[0] = first;
  let count = 1;
  for (let at = start + REST_AT; at < end;) {
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    if ((value & 1) === 0) serial += value >> 1;
    else {
      const step = value >> 1;
      serial += (step & 1) === 0 ? step >> 1 : -((step + 1) >> 1);
      byte = bytes[at++] ?? 0;
      let levels = byte & 127;
      if (byte >= 128) levels |= (bytes[at++] ?? 0) << 7;
      base += levels * LEVEL;
    }
    target[count++] = base + serial;
  }
  return count;
}

/** Returns all documents from an offset on. */
export function unpackDocs(bytes: Uint8Array, start: number): number[] {
  const docs: number[] = [];
  const block = new Float64Array(BLOCK_DOCS);
  for (let at = start; at < bytes.length; at = nextBlock(bytes, at)) {
    const count = readBlock(bytes, at, block);
    for (let i = 0; i < count; i++) docs.push(block[i] ?? 0);
  }
  return docs;
}
