import { BLOCK_DOCS, packDocs, unpackDocs } from './blocks.ts';
import type { IndexStore } from './index-store.ts';
import { docKey } from './keys.ts';

/**
 * A list begins with its length and the bounds of its further parts, followed by the documents of its first part. Each
 * further part has its own key and fills a page of the file.
 */
const PARTS_AT = 4;
const BOUNDS_AT = 6;
const BOUND_BYTES = 5;
const PART_BYTES_MAX = 4064;
const NO_HEAD = Buffer.alloc(0);

export function lengthIn(head: Buffer | undefined): number {
  return head === undefined ? 0 : head.readUInt32LE(0);
}

/** Returns the number of parts after the first one. */
export function boundsIn(head: Buffer): number {
  return head.readUInt16LE(PARTS_AT);
}

/** Returns the lower bound of a further part, numbered from 1. */
export function boundAt(head: Buffer, part: number): number {
  return head.readUIntLE(BOUNDS_AT + (part - 1) * BOUND_BYTES, BOUND_BYTES);
}

/** Returns the offset of the first part's documents. */
export function docsAt(head: Buffer): number {
  return BOUNDS_AT + boundsIn(head) * BOUND_BYTES;
}

export function partKey(key: string, bound: number): string {
  return key + docKey(bound);
}

function headOf(length: number, bounds: readonly number[]): Buffer {
  const head = Buffer.allocUnsafe(BOUNDS_AT + bounds.length * BOUND_BYTES);
  head.writeUInt32LE(length);
  head.writeUInt16LE(bounds.length, PARTS_AT);
  for (const [i, bound] of bounds.entries())
    head.writeUIntLE(bound, BOUNDS_AT + i * BOUND_BYTES, BOUND_BYTES);
  return head;
}

interface Part {
  bound: number;
  bytes: Buffer;
}

/** Splits documents into parts of limited size. */
function partsOf(docs: ArrayLike<number>, bytesMax: number): Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < docs.length;) {
    const blocks: Buffer[] = [];
    const bound = docs[from] ?? 0;
    for (let bytes = 0; from < docs.length; from += BLOCK_DOCS) {
      const block = packDocs(docs, from, Math.min(from + BLOCK_DOCS, docs.length), NO_HEAD);
      bytes += block.length;
      if (bytes > bytesMax) break;
      blocks.push(block);
    }
    parts.push({ bound, bytes: blocks.length === 1 ? (blocks[0] ?? NO_HEAD) : Buffer.concat(blocks) });
  }
  return parts;
}

/** Writes a whole list. Lists must come in key order. */
export function writeList({ lists, parts }: IndexStore, key: string, docs: ArrayLike<number>): void {
  const append = { append: true } as never;
  const [first, ...others] = partsOf(docs, PART_BYTES_MAX);
  if (first === undefined) return;
  const bounds = others.map(({ bound }) => bound);
  const head = headOf(docs.length, bounds);
  lists.putSync(key, Buffer.concat([head, first.bytes]), append);
  for (const { bound, bytes } of others) parts.putSync(partKey(key, bound), bytes, append);
}

export interface ListChange {
  added: Set<number>;
  removed: Set<number>;
}

const FIRST = -1;

/** Removes documents from a list and adds others. Returns its length before and after. */
export function changeList(
  { lists, parts }: IndexStore,
  key: string,
  { added, removed }: ListChange,
): { before: number; after: number } {
  const head = lists.getBinary(key) ?? headOf(0, []);
  const bounds = Array.from({ length: boundsIn(head) }, (_, i) => boundAt(head, i + 1));
  const changed = new Map<number, Set<number>>();
  const partAt = (bound: number) =>
    changed.getOrInsertComputed(bound, () => {
      const bytes = bound === FIRST ? head.subarray(docsAt(head)) : parts.getBinary(partKey(key, bound));
      return new Set(bytes === undefined ? [] : unpackDocs(bytes, 0));
    });
  const partOf = (doc: number) => partAt(bounds.findLast((bound) => bound <= doc) ?? FIRST);
  const before = lengthIn(head);
  let after = before;
  for (const doc of removed) if (partOf(doc).delete(doc)) after--;
  for (const doc of added) {
    const docs = partOf(doc);
    if (!docs.has(doc)) after++;
    docs.add(doc);
  }
  partAt(FIRST);
  const newBounds = new Set(bounds);
  let first: Buffer = NO_HEAD;
  for (const [bound, docs] of changed) {
    const newParts = roomyParts([...docs].sort((a, b) => a - b));
    if (bound === FIRST) first = newParts.shift()?.bytes ?? NO_HEAD;
    else if (newBounds.delete(bound)) parts.removeSync(partKey(key, bound));
    for (const part of newParts) {
      parts.putSync(partKey(key, part.bound), part.bytes);
      newBounds.add(part.bound);
    }
  }
  const sorted = [...newBounds].sort((a, b) => a - b);
  if (after === 0) lists.removeSync(key);
  else lists.putSync(key, Buffer.concat([headOf(after, sorted), first]));
  return { before, after };
}

/** Splits an overfull part into halves, which leaves room for more documents. */
function roomyParts(docs: readonly number[]): Part[] {
  const parts = partsOf(docs, PART_BYTES_MAX);
  return parts.length > 1 ? partsOf(docs, PART_BYTES_MAX / 2) : parts;
}
