import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { LAST_OF_ROW, TERM_NUMBER } from './term-list.ts';
import { larger } from '../query/terms.ts';

const NOT_NOW = 0xffff_ffff;
const BLOCK_BYTES = 4 * 1024 * 1024;
/** Postings that are put in order at once: more of them take more memory, fewer take more passes over the file. */
const POSTINGS_AT_ONCE = 40_000_000;

/**
 * Which row has which terms, turned into which term stands on which rows. Kept in a file on the way, because in memory
 * it would be hundreds of megabytes for some millions of places.
 */
export class PostingFile {
  readonly #path: string;
  readonly #fd: number;
  #bytes = 0;
  #uses = new Uint32Array(1 << 10);

  constructor(path: string) {
    this.#path = path;
    this.#fd = openSync(path, 'w+');
  }

  /** Takes the terms of rows, as a TermList gives them. */
  add(packed: Uint32Array): void {
    for (const value of packed) {
      const term = value & TERM_NUMBER;
      if (term >= this.#uses.length) this.#uses = larger(this.#uses, term + 1);
      this.#uses[term] = (this.#uses[term] ?? 0) + 1;
    }
    for (let at = 0; at < packed.byteLength;) {
      const part = new Uint8Array(packed.buffer, packed.byteOffset + at, packed.byteLength - at);
      at += writeSync(this.#fd, part, 0, part.length, this.#bytes + at);
    }
    this.#bytes += packed.byteLength;
  }

  /** How often each term was used, by its number. */
  get uses(): Uint32Array {
    return this.#uses;
  }

  /** For each term of the order, the rows that have it, counted from 0; a row may come twice. */
  *lists(order: Uint32Array): Generator<Uint32Array> {
    const uses = this.#uses;
    const at = new Uint32Array(uses.length).fill(NOT_NOW);
    for (let first = 0; first < order.length;) {
      let end = first;
      let postings = 0;
      for (; end < order.length; end++) {
        const term = order[end] ?? 0;
        const own = uses[term] ?? 0;
        if (end > first && postings + own > POSTINGS_AT_ONCE) break;
        at[term] = postings;
        postings += own;
      }
      const rows = this.#collect(at, postings);
      let start = 0;
      for (; first < end; first++) {
        const term = order[first] ?? 0;
        yield rows.subarray(start, (start += uses[term] ?? 0));
        at[term] = NOT_NOW;
      }
    }
  }

  /** Goes over all rows once and notes each at the terms that have a place. */
  #collect(at: Uint32Array, postings: number): Uint32Array {
    const rows = new Uint32Array(postings);
    const block = new Uint32Array(BLOCK_BYTES / 4);
    const bytes = new Uint8Array(block.buffer);
    let row = 0;
    for (let position = 0; position < this.#bytes;) {
      const length = readSync(this.#fd, bytes, 0, Math.min(BLOCK_BYTES, this.#bytes - position), position);
      // A number may be cut by the end of what was read; then it is read again.
      const whole = Math.floor(length / 4);
      for (let i = 0; i < whole; i++) {
        const value = block[i] ?? 0;
        const term = value & TERM_NUMBER;
        const place = at[term] ?? NOT_NOW;
        if (place !== NOT_NOW) {
          rows[place] = row;
          at[term] = place + 1;
        }
        if (value >= LAST_OF_ROW) row++;
      }
      if (whole === 0) throw new Error('The file of postings ended early.');
      position += whole * 4;
    }
    return rows;
  }

  close(): void {
    closeSync(this.#fd);
    rmSync(this.#path, { force: true });
  }
}
