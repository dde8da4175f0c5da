import { BLOCK_DOCS, firstDoc, nextBlock, readBlock } from './blocks.ts';
import type { IndexStore } from './index-store.ts';
import { boundAt, boundsIn, docsAt, lengthIn, partKey } from './list-parts.ts';

const PART_BYTES = 8192;
const STRIDE = 8;

export const END = Infinity;

/** Documents in rank order. */
export interface Docs {
  /** The first document that is not before the given one; END where there is none. What is asked never goes back. */
  seek(doc: number): number;
  /** How many there are at most. */
  readonly length: number;
}

/** A list as it is stored, of which no more is read than is asked for: part by part, and of a part block by block. */
class ListDocs implements Docs {
  length = 0;
  #store: IndexStore | undefined;
  #key = '';
  #head = Buffer.allocUnsafeSlow(PART_BYTES);
  /** How many parts follow the first one, and the one that is being read. */
  #parts = 0;
  #partNumber = 0;
  #part = this.#head;
  #partEnd = 0;
  readonly #further = Buffer.allocUnsafeSlow(PART_BYTES);
  /** Where the block behind the one that was read begins. */
  #nextAt = 0;
  /** The block that was read, and where in it; behind its last document stands END, so often that nobody steps over it. */
  readonly #docs = new Float64Array(BLOCK_DOCS + STRIDE + 1);
  #at = 0;

  /** The head is that of a read, which the next one overwrites. */
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
    this.#take(0);
  }

  #take(count: number): void {
    this.#at = 0;
    this.#docs.fill(END, count, count + STRIDE + 1);
  }

  seek(doc: number): number {
    const docs = this.#docs;
    let at = this.#at;
    while ((docs[at + STRIDE] ?? END) < doc) at += STRIDE;
    while ((docs[at] ?? END) < doc) at++;
    this.#at = at;
    const found = docs[at] ?? END;
    return found !== END || !(this.#goToBlock(doc) || this.#goToPart(doc)) ? found : this.seek(doc);
  }

  /** Reads the block of this part in which the document would stand, or the one behind it. */
  #goToBlock(doc: number): boolean {
    const part = this.#part;
    const end = this.#partEnd;
    for (let at = this.#nextAt; at < end; at = this.#nextAt) {
      this.#nextAt = nextBlock(part, at);
      if (this.#nextAt < end && firstDoc(part, this.#nextAt) <= doc) continue;
      const count = readBlock(part, at, this.#docs);
      this.#take(count);
      if ((this.#docs[count - 1] ?? END) >= doc) return true;
    }
    return false;
  }

  /** The same in the part in which the document would stand, or in one behind it. */
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

/** Lists that may be used again, and how many of them are in use. To make one takes longer than to read it. */
const lists: ListDocs[] = [];
let listsInUse = 0;

/** Lists that are opened inside are of no use afterwards. */
export function withLists<Result>(read: () => Result): Result {
  const before = listsInUse;
  try {
    return read();
  } finally {
    listsInUse = before;
  }
}

/** The documents under a key. */
export function listDocs(store: IndexStore, key: string): Docs {
  const head = store.lists.getBinaryFast(key);
  if (head === undefined) return NONE;
  const list = (lists[listsInUse] ??= new ListDocs());
  listsInUse++;
  list.open(store, key, head);
  return list;
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
      for (let wanted = doc; ;) {
        const candidate = first.seek(wanted);
        wanted = candidate;
        for (const other of others) {
          wanted = other.seek(candidate);
          if (wanted !== candidate) break;
        }
        if (wanted === candidate) return candidate;
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
