import { inByteOrder } from '../store/byte-order.ts';

/** Terms as bytes one after the other: where each ends, and their numbers in byte order. */
export interface SortedTerms {
  bytes: Uint8Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  order: Uint32Array<ArrayBuffer>;
}

const FREE = 0xffff_ffff;
const TERM_CHARS_MAX = 8_000;

/**
 * The tokens that were met, numbered in the order of their first place. Millions of texts in a map would be half a
 * gigabyte that is looked through whenever memory is cleaned up; as bytes with a hash table they are a hundred megabytes.
 */
export class Terms {
  #bytes = new Uint8Array(1 << 12);
  #ends = new Uint32Array(1 << 8);
  #slots = new Uint32Array(1 << 9).fill(FREE);
  #count = 0;
  readonly #asked = new Uint8Array(TERM_CHARS_MAX * 3);

  numberOf(text: string): number {
    const length = this.#encode(text);
    const hash = hashOf(this.#asked, length);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== FREE; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] ?? 0;
      if (this.#isAsked(number, length)) return number;
    }
    this.#slots[slot] = this.#count;
    return this.#append(length);
  }

  textOf(number: number): string {
    return Buffer.from(this.#bytesOf(number)).toString();
  }

  sorted(): SortedTerms {
    const [bytes, ends] = [
      this.#bytes.slice(0, this.#startOf(this.#count)),
      this.#ends.slice(0, this.#count),
    ];
    return { bytes, ends, order: inByteOrder(bytes, ends) };
  }

  /** Nearly all terms are ASCII, which is quicker to copy than to hand over. */
  #encode(text: string): number {
    const length = Math.min(text.length, TERM_CHARS_MAX);
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return encoder.encodeInto(text.slice(0, TERM_CHARS_MAX), this.#asked).written;
      this.#asked[i] = code;
    }
    return length;
  }

  #isAsked(number: number, length: number): boolean {
    const start = this.#startOf(number);
    if ((this.#ends[number] ?? 0) - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.#bytes[start + i] !== this.#asked[i]) return false;
    return true;
  }

  #append(length: number): number {
    const number = this.#count++;
    const start = this.#startOf(number);
    if (start + length > this.#bytes.length) this.#bytes = larger(this.#bytes, start + length);
    if (number >= this.#ends.length) this.#ends = larger(this.#ends, this.#count);
    this.#bytes.set(this.#asked.subarray(0, length), start);
    this.#ends[number] = start + length;
    if (this.#count * 2 > this.#slots.length) this.#spread();
    return number;
  }

  #spread(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2).fill(FREE);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#count; number++) {
      const bytes = this.#bytesOf(number);
      let slot = hashOf(bytes, bytes.length) & mask;
      while (this.#slots[slot] !== FREE) slot = (slot + 1) & mask;
      this.#slots[slot] = number;
    }
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
  }

  #bytesOf(number: number): Uint8Array {
    return this.#bytes.subarray(this.#startOf(number), this.#ends[number]);
  }
}

const encoder = new TextEncoder();

/** The same numbers in a list of at least this length, and of twice its own. */
export function larger<List extends Uint8Array | Uint32Array>(list: List, length: number): List {
  const grown = new (list.constructor as new (length: number) => List)(Math.max(list.length * 2, length));
  grown.set(list);
  return grown;
}

/** FNV-1a, with its high bits mixed into the low ones that choose the slot. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
