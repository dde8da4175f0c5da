import { BLOCK_DOCS, firstDoc, nextBlock, readBlock } from './blocks.ts';
import type { IndexStore } from './index-store.ts';
import { boundAt, boundsIn, docsAt, lengthIn, partKey } from './list-parts.ts';

const PART_BYTES = 8192;
const STRIDE = 8;

export const END = Infinity;

/** Documents in rank order. */
export interface Docs {
  /** Returns the first document at or after the given one, or END. Calls must be in ascending order. */
  seek(doc: number): number;
  /** Upper bound on the number of documents. */
  readonly length: number;
}

/** A stored list, read lazily: part by part, and block by block within a part. */
class ListDocs implements Docs {
  length = 0;
  #store: IndexStore | undefined;
  #key = '';
  #head = Buffer.allocUnsafeSlow(PART_BYTES);
  /** Number of parts after the first one, and the current part. */
  #parts = 0;
  #partNumber = 0;
  #part = this.#head;
  #partEnd = 0;
  readonly #further = Buffer.allocUnsafeSlow(PART_BYTES);
  /** Offset of the next block. */
  #nextAt = 0;
  /** Current block and position in it. END sentinels follow its last document, so that strides cannot overrun it. */
  readonly #docs = new Float64Array(BLOCK_DOCS + STRIDE + 1);
  #at = 0;

  /** Copies the head, because the next read overwrites it. */
  open(store: IndexStore, key: string, head: Buffer): void {
    const { length } = head;
    if (length > this.#head.length) this.#head = Buffer.allocUnsafeSlow(length);
    this.#store = store;
    this.#key = key;
    this.#partEnd = head.copy(this.#head, 0, 0, length);
    this.length = lengthIn(this.#head);
    this.#parts = boundsIn(this.#head);
    this.#partNumber = 0;
    this.#part = this.#head;
    this.#nextAt = docsAt(this.#head);
    this.#setBlock(0);
  }

  #setBlock(count: number): void {
    this.#at = 0;
    this.#docs.fill(END, count, count + STRIDE + 1);
  }

  seek(doc: number): number {
    const docs = this.#docs;
    let at = this.#at;
    while ((docs[at + STRIDE] ?? END) < doc) at += STRIDE;
    while ((docs[at] ?? END) < doc) at++;
    this.#at = at;
    const current = docs[at] ?? END;
    return current !== END || !(this.#goToBlock(doc) || this.#goToPart(doc)) ? current : this.seek(doc);
  }

  /** Reads the block of this part that may contain the document, or the next one. */
  #goToBlock(doc: number): boolean {
    const part = this.#part;
    const end = this.#partEnd;
    for (let at = this.#nextAt; at < end; at = this.#nextAt) {
      this.#nextAt = nextBlock(part, at);
      if (this.#nextAt < end && firstDoc(part, this.#nextAt) <= doc) continue;
      const count = readBlock(part, at, this.#docs);
      this.#setBlock(count);
      if ((this.#docs[count - 1] ?? END) >= doc) return true;
    }
    return false;
  }

  /** Does the same in the part that may contain the document, or in a later one. */
  #goToPart(doc: number): boolean {
    let [low, high] = [this.#partNumber, this.#parts];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (boundAt(this.#head, middle) <= doc) low = middle;
      else high = middle - 1;
    }
    for (let number = Math.max(low, this.#partNumber + 1); number <= this.#parts; number++) {
      const bytes = this.#store?.parts.getBinaryFast(partKey(this.#key, boundAt(this.#head, number)));
      if (bytes === undefined) continue;
      this.#partNumber = number;
      this.#part = this.#further;
      this.#partEnd = bytes.copy(this.#further, 0, 0, bytes.length);
      this.#nextAt = 0;
      if (this.#goToBlock(doc)) return true;
    }
    return false;
  }
}

/** Pool of lists, and the number in use. Allocating one takes longer than reading it. */
const lists: ListDocs[] = [];
let listsInUse = 0;

/** Returns lists opened inside to the pool afterwards; they must not be used any longer. */
export function withLists<Result>(read: () => Result): Result {
  const before = listsInUse;
  try {
    return read();
  } finally {
    listsInUse = before;
  }
}

export function listDocs(store: IndexStore, key: string): Docs {
  const head = store.lists.getBinaryFast(key);
  if (head === undefined) return NONE;
  const list = (lists[listsInUse] ??= new ListDocs());
  listsInUse++;
  list.open(store, key, head);
  return list;
}

export const NONE: Docs = { seek: () => END, length: 0 };

/** Wraps an array of documents, such as those of a whole name. */
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

/** Intersects lists. The shortest one leads, and the others are only probed for its documents. */
export function allOf(lists: readonly Docs[]): Docs {
  const [first = NONE, ...others] = lists.toSorted((a, b) => a.length - b.length);
  if (others.length === 0 || first.length === 0) return first;
  return {
    length: first.length,
    seek: (doc) => {
      for (let target = doc; ;) {
        const candidate = first.seek(target);
        target = candidate;
        for (const other of others) {
          target = other.seek(candidate);
          if (target !== candidate) break;
        }
        if (target === candidate) return candidate;
      }
    },
  };
}

export function anyOf(all: readonly Docs[]): Docs {
  const [first = NONE, ...others] = all.filter((list) => list.length > 0);
  if (others.length === 0) return first;
  return {
    length: all.reduce((sum, list) => sum + list.length, 0),
    seek: (doc) => {
      let nearest = first.seek(doc);
      for (const other of others) nearest = Math.min(nearest, other.seek(doc));
      return nearest;
    },
  };
}
