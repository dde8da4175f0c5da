import { Buffer } from 'node:buffer';
import { DESTINATION_BYTES, docKey } from './keys.ts';
import { packNumbers, unpackNumbers } from './numbers.ts';
import type { IndexStore } from './index-store.ts';

/** A list begins with its length; what does not fit into its first part follows under keys of its own. */
export const LIST_HEAD_BYTES = 4;
const PART_DOCS = 512;
const PART_MARK = '\0';
const NO_HEAD = Buffer.alloc(0);
/** The bit of the length that tells of further parts. */
const HAS_PARTS = 2 ** 31;
const BEFORE_ALL = -1;
const LAST_DOC = '\xff\xff\xff\xff\xff\xff';
const NEAR = 8;

export const END = Infinity;

/** Documents in rank order. */
export interface Docs {
  /** The first document that is not before the given one; END where there is none. What is asked never goes back. */
  seek(doc: number): number;
  /** How many there are at most. */
  readonly length: number;
}

/** A list as it is stored. It is read part by part, as far as it is asked for. */
export class ListDocs implements Docs {
  readonly #store: IndexStore;
  readonly #key: string;
  readonly #hasParts: boolean;
  readonly length: number;
  #docs: Float64Array;
  #at = 0;

  private constructor(store: IndexStore, key: string, head: Buffer) {
    this.#store = store;
    this.#key = key;
    this.#hasParts = head.readUInt32LE(0) >= HAS_PARTS;
    this.length = lengthIn(head);
    this.#docs = unpackNumbers(head, LIST_HEAD_BYTES);
  }

  static of(store: IndexStore, key: string): Docs {
    const head = store.lists.getBinaryFast(key);
    return head === undefined ? NONE : new ListDocs(store, key, head);
  }

  seek(doc: number): number {
    const docs = this.#docs;
    if ((docs[docs.length - 1] ?? BEFORE_ALL) < doc) return this.#seekFurther(doc);
    let at = this.#at;
    // What is asked for is mostly one of the next; otherwise it is found by halving.
    for (const near = Math.min(at + NEAR, docs.length); at < near; at++)
      if ((docs[at] ?? END) >= doc) return docs[(this.#at = at)] ?? END;
    for (let high = docs.length - 1; at < high;) {
      const middle = (at + high) >> 1;
      if ((docs[middle] ?? END) < doc) at = middle + 1;
      else high = middle;
    }
    return docs[(this.#at = at)] ?? END;
  }

  /** Goes on with the part in which the document would stand, or with the one behind it. */
  #seekFurther(doc: number): number {
    if (!this.#hasParts) return END;
    const prefix = this.#key + PART_MARK;
    const { lists } = this.#store;
    const last = this.#docs[this.#docs.length - 1] ?? BEFORE_ALL;
    const here = prefix + docKey(doc);
    const before = lists.getRange({ start: here, end: prefix + docKey(last), reverse: true, limit: 1 });
    for (const { value } of before) if (this.#begin(value, doc)) return this.seek(doc);
    const behind = lists.getRange({ start: here, end: `${prefix}${LAST_DOC}`, limit: 1 });
    for (const { value } of behind) if (this.#begin(value, doc)) return this.seek(doc);
    return END;
  }

  #begin(part: Buffer, doc: number): boolean {
    const docs = unpackNumbers(part, 0);
    if ((docs[docs.length - 1] ?? BEFORE_ALL) < doc) return false;
    this.#docs = docs;
    this.#at = 0;
    return true;
  }
}

export const NONE: Docs = { seek: () => END, length: 0 };

/** Documents that are at hand, such as those of a whole name. */
export function docsOf(docs: readonly number[]): Docs {
  let at = 0;
  return {
    length: docs.length,
    seek: (doc) => {
      while ((docs[at] ?? END) < doc) at++;
      return docs[at] ?? END;
    },
  };
}

/** The shortest list leads: the others are only asked about what it has. */
export function allOf(lists: readonly Docs[]): Docs {
  const [first = NONE, ...others] = lists.toSorted((a, b) => a.length - b.length);
  if (others.length === 0 || first.length === 0) return first;
  return {
    length: first.length,
    seek: (doc) => {
      for (let candidate = first.seek(doc); ; candidate = first.seek(candidate)) {
        let furthest = candidate;
        for (const other of others) {
          furthest = other.seek(candidate);
          if (furthest !== candidate) break;
        }
        if (furthest === candidate) return candidate;
        candidate = furthest;
      }
    },
  };
}

export function anyOf(lists: readonly Docs[]): Docs {
  const [first = NONE, ...others] = lists.filter((list) => list.length > 0);
  if (others.length === 0) return first;
  return {
    length: lists.reduce((sum, list) => sum + list.length, 0),
    seek: (doc) => {
      let nearest = first.seek(doc);
      for (const other of others) nearest = Math.min(nearest, other.seek(doc));
      return nearest;
    },
  };
}

/** Writes a whole list. Lists come in the order of their keys. */
export function writeList(store: IndexStore, key: string, docs: ArrayLike<number>): void {
  const parts = Math.max(1, Math.ceil(docs.length / PART_DOCS));
  for (let part = 0; part < parts; part++) {
    const [from, to] = [part * PART_DOCS, Math.min(docs.length, (part + 1) * PART_DOCS)];
    const head = part === 0 ? headOf(docs.length, parts > 1) : NO_HEAD;
    const at = part === 0 ? key : key + PART_MARK + docKey(docs[from] ?? 0);
    store.lists.putSync(at, packNumbers(docs, from, to, head), { append: true } as never);
  }
}

function headOf(length: number, hasParts: boolean): Buffer {
  const head = Buffer.allocUnsafe(LIST_HEAD_BYTES);
  head.writeUInt32LE(length + (hasParts ? HAS_PARTS : 0));
  return head;
}

/** The length that stands at the beginning of a list. */
export function lengthIn(head: Buffer | undefined): number {
  return head === undefined ? 0 : head.readUInt32LE(0) % HAS_PARTS;
}

export interface ListChange {
  added: Set<number>;
  removed: Set<number>;
}

/** How many documents a list had, and how many it has now. */
interface ChangedList {
  before: number;
  after: number;
}

/** Takes documents out of a list and puts others in. */
export function changeList(store: IndexStore, key: string, { added, removed }: ListChange): ChangedList {
  const parts = new Map<string, number[]>();
  const partOf = (doc: number): number[] => {
    const at = partKey(store, key, doc);
    let docs = parts.get(at);
    if (docs === undefined) {
      const bytes = store.lists.getBinary(at);
      docs = bytes === undefined ? [] : [...unpackNumbers(bytes, at === key ? LIST_HEAD_BYTES : 0)];
      parts.set(at, docs);
    }
    return docs;
  };
  const head = store.lists.getBinary(key);
  const oldLength = lengthIn(head);
  let length = oldLength;
  for (const doc of removed) {
    const docs = partOf(doc);
    const at = docs.indexOf(doc);
    if (at < 0) continue;
    docs.splice(at, 1);
    length--;
  }
  for (const doc of added) {
    const docs = partOf(doc);
    if (docs.includes(doc)) continue;
    const at = docs.findIndex((other) => other > doc);
    docs.splice(at < 0 ? docs.length : at, 0, doc);
    length++;
  }
  if (length === 0) {
    for (const at of new Set([...parts.keys(), key])) store.lists.removeSync(at);
    return { before: oldLength, after: 0 };
  }
  if (head !== undefined && !parts.has(key)) parts.set(key, [...unpackNumbers(head, LIST_HEAD_BYTES)]);
  const hadParts = head !== undefined && head.readUInt32LE(0) >= HAS_PARTS;
  const hasParts = hadParts || (parts.get(key)?.length ?? 0) > PART_DOCS;
  for (const [at, docs] of parts) writePart(store, key, { at, docs, head: headOf(length, hasParts) });
  return { before: oldLength, after: length };
}

/** The part in which a document stands or would stand. */
function partKey(store: IndexStore, key: string, doc: number): string {
  const prefix = key + PART_MARK;
  const range = { start: prefix + docKey(doc), end: prefix, reverse: true, limit: 1 };
  for (const at of store.lists.getKeys(range)) return at;
  return key;
}

interface Part {
  at: string;
  docs: number[];
  head: Buffer;
}

function writePart(store: IndexStore, key: string, { at, docs, head }: Part): void {
  const isHead = at === key;
  const first = isHead ? key : key + PART_MARK + docKey(docs[0] ?? 0);
  if (first !== at || (docs.length === 0 && !isHead)) store.lists.removeSync(at);
  if (docs.length === 0 && !isHead) return;
  const middle = docs.length > PART_DOCS ? docs.length >> 1 : docs.length;
  store.lists.putSync(first, packNumbers(docs, 0, middle, isHead ? head : NO_HEAD));
  if (middle === docs.length) return;
  const rest = docs.slice(middle);
  writePart(store, key, { at: key + PART_MARK + docKey(rest[0] ?? 0), docs: rest, head });
}

/** Whether a key is one of a list's further parts. No term that is looked for by its beginning holds this byte. */
export function isPart(key: string): boolean {
  return key.includes(PART_MARK, DESTINATION_BYTES);
}
