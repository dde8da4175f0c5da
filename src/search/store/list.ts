import { Buffer } from 'node:buffer';
import { docKey } from './keys.ts';
import { NumberReader, packNumbers, unpackNumbers } from './numbers.ts';
import type { IndexStore } from './index-store.ts';

/** A list begins with its length; what does not fit into its first part follows under keys of its own. */
export const LIST_HEAD_BYTES = 4;
const PART_DOCS = 512;
const PART_MARK = '\0';
const NO_HEAD = Buffer.alloc(0);
/** The bit of the length that tells of further parts. */
const HAS_PARTS = 2 ** 31;
const BEFORE_ALL = -1;

export const END = Infinity;

/** Documents in rank order. */
export interface Docs {
  /** The first document that is not before the given one; END where there is none. What is asked never goes back. */
  seek(doc: number): number;
}

/** So many parts are read in turn before the part is looked up in which a document would stand. */
const PARTS_IN_TURN = 2;

/** A list as it is stored. It is read only as far as it is asked for. */
export class ListDocs implements Docs {
  readonly #store: IndexStore;
  readonly #key: string;
  readonly #hasParts: boolean;
  #reader: NumberReader;
  #current: number;

  private constructor(store: IndexStore, key: string, head: Buffer) {
    this.#store = store;
    this.#key = key;
    const bytes = copyOf(head);
    this.#hasParts = bytes.readUInt32LE(0) >= HAS_PARTS;
    this.#reader = new NumberReader(bytes, LIST_HEAD_BYTES);
    this.#current = this.#reader.ended ? BEFORE_ALL : this.#reader.next();
  }

  static of(store: IndexStore, key: string): Docs {
    const head = store.lists.getBinaryFast(key);
    return head === undefined ? NONE : new ListDocs(store, key, head);
  }

  seek(doc: number): number {
    for (let turns = 0; this.#current < doc;) {
      if (!this.#reader.ended) this.#current = this.#reader.next();
      else {
        const jumps = ++turns > PARTS_IN_TURN;
        if (!this.#hasParts || !this.#read(jumps ? doc : undefined)) return (this.#current = END);
      }
    }
    return this.#current;
  }

  /** Goes on with the part after the last one, or with the one in which a document would stand. */
  #read(doc: number | undefined): boolean {
    const prefix = this.#key + PART_MARK;
    const after = prefix + docKey(this.#current + 1);
    const end = `${prefix}\xff\xff\xff\xff\xff\xff`;
    const { lists } = this.#store;
    if (doc !== undefined)
      for (const { value } of lists.getRange({
        start: prefix + docKey(doc),
        end: after,
        reverse: true,
        limit: 1,
      })) {
        this.#begin(value);
        return true;
      }
    for (const { value } of lists.getRange({ start: after, end, limit: 1 })) {
      this.#begin(value);
      return true;
    }
    return false;
  }

  #begin(part: Buffer): void {
    this.#reader = new NumberReader(copyOf(part), 0);
    this.#current = this.#reader.next();
  }
}

/** What a read gives is overwritten by the next one. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length);
  bytes.copy(copy, 0, 0, bytes.length);
  return copy;
}

export const NONE: Docs = { seek: () => END };

/** Documents that are at hand, such as those of a whole name. */
export function docsOf(docs: readonly number[]): Docs {
  let at = 0;
  return {
    seek: (doc) => {
      while ((docs[at] ?? END) < doc) at++;
      return docs[at] ?? END;
    },
  };
}

export function allOf(lists: readonly Docs[]): Docs {
  const [first = NONE, ...others] = lists;
  if (others.length === 0) return first;
  return {
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
  const [first = NONE, ...others] = lists;
  if (others.length === 0) return first;
  return {
    seek: (doc) => {
      let nearest = first.seek(doc);
      for (const other of others) nearest = Math.min(nearest, other.seek(doc));
      return nearest;
    },
  };
}

/** Writes a whole list in the order of its keys. */
export function writeList(store: IndexStore, key: string, docs: readonly number[], append: boolean): void {
  const options = append ? { append: true } : undefined;
  const parts = Math.max(1, Math.ceil(docs.length / PART_DOCS));
  for (let part = 0; part < parts; part++) {
    const [from, to] = [part * PART_DOCS, Math.min(docs.length, (part + 1) * PART_DOCS)];
    const head = part === 0 ? headOf(docs.length, parts > 1) : NO_HEAD;
    const at = part === 0 ? key : key + PART_MARK + docKey(docs[from] ?? 0);
    store.lists.putSync(at, packNumbers(docs, from, to, head), options as never);
  }
}

function headOf(length: number, hasParts: boolean): Buffer {
  const head = Buffer.allocUnsafe(LIST_HEAD_BYTES);
  head.writeUInt32LE(length + (hasParts ? HAS_PARTS : 0));
  return head;
}

function lengthIn(head: Buffer | undefined): number {
  return head === undefined ? 0 : head.readUInt32LE(0) % HAS_PARTS;
}

export interface ListChange {
  added: Set<number>;
  removed: Set<number>;
}

/** What a list is after a change: its first document, END where none is left, and by how many it grew. */
interface ChangedList {
  first: number;
  grown: number;
}

/** Takes documents out of a list and puts others in. */
export function changeList(store: IndexStore, key: string, { added, removed }: ListChange): ChangedList {
  const parts = new Map<string, number[]>();
  const partOf = (doc: number): number[] => {
    const at = partKey(store, key, doc);
    let docs = parts.get(at);
    if (docs === undefined) {
      const bytes = store.lists.getBinary(at);
      docs = bytes === undefined ? [] : unpackNumbers(bytes, at === key ? LIST_HEAD_BYTES : 0);
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
    return { first: END, grown: -oldLength };
  }
  if (head !== undefined && !parts.has(key)) parts.set(key, unpackNumbers(head, LIST_HEAD_BYTES));
  const hadParts = head !== undefined && head.readUInt32LE(0) >= HAS_PARTS;
  const hasParts = hadParts || (parts.get(key)?.length ?? 0) > PART_DOCS;
  for (const [at, docs] of parts) writePart(store, key, { at, docs, head: headOf(length, hasParts) });
  return { first: ListDocs.of(store, key).seek(0), grown: length - oldLength };
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
