import { bytesOf, destinationKey } from './keys.ts';
import type { IndexStore } from './index-store.ts';
import { serialOf } from './rank.ts';

/**
 * Hours of a week. For each, a destination has a bitmap of the places that are regularly open then, by serial, in
 * pieces.
 */
export const WEEK_HOURS = 168;
/** Extra bitmap after the hours: places with unverified hours. */
export const UNVERIFIED = WEEK_HOURS;
/** First of the bitmaps for places whose hours are too old to be verified, one for each hour of the week. */
export const OLD_HOURS = UNVERIFIED + 1;
const BITMAPS = OLD_HOURS + WEEK_HOURS;
export const BITS_MARK = 'o';
const PIECE_BITS = 8192;
const PIECE_BYTES = PIECE_BITS / 8;

export class OpenBits {
  readonly #store: IndexStore;
  readonly #prefix: string;
  readonly #pieces: Uint8Array[] = [];

  constructor(store: IndexStore, destination: number, hour: number) {
    this.#store = store;
    this.#prefix = hourKey(destination, hour);
  }

  has(doc: number): boolean {
    const serial = serialOf(doc);
    const number = Math.floor(serial / PIECE_BITS);
    const piece = (this.#pieces[number] ??=
      this.#store.lists.getBinary(this.#prefix + bytesOf(number, 2)) ?? NOTHING);
    const bit = serial % PIECE_BITS;
    return ((piece[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  count(): number {
    let count = 0;
    for (const { value } of this.#store.lists.getRange({
      start: this.#prefix,
      end: `${this.#prefix}\xff\xff\xff`,
    }))
      for (let byte of value) for (; byte !== 0; byte &= byte - 1) count++;
    return count;
  }
}

const NOTHING = new Uint8Array(0);

function hourKey(destination: number, hour: number): string {
  return destinationKey(destination) + BITS_MARK + bytesOf(hour, 2);
}

/** Changed bits, by piece. */
export class BitChanges {
  readonly #pieces = new Map<string, Map<number, boolean>>();

  set(destination: number, hour: number, serial: number, on: boolean): void {
    const key = hourKey(destination, hour) + bytesOf(Math.floor(serial / PIECE_BITS), 2);
    this.#pieces.getOrInsertComputed(key, () => new Map()).set(serial % PIECE_BITS, on);
  }

  write({ lists }: IndexStore): void {
    for (const [key, bits] of this.#pieces) {
      const piece = Buffer.alloc(PIECE_BYTES);
      lists.getBinary(key)?.copy(piece);
      for (const [bit, on] of bits) setBit(piece, bit, on);
      const trimmed = withoutZeros(piece);
      if (trimmed.length > 0) lists.putSync(key, Buffer.from(trimmed));
      else lists.removeSync(key);
    }
    this.#pieces.clear();
  }
}

/** Trims trailing zeros, because a small destination only fills the beginning of a piece. */
function withoutZeros(piece: Uint8Array): Uint8Array {
  let end = piece.length;
  while (end > 0 && piece[end - 1] === 0) end--;
  return piece.subarray(0, end);
}

function setBit(piece: Uint8Array, bit: number, on: boolean): void {
  const byte = piece[bit >> 3] ?? 0;
  piece[bit >> 3] = on ? byte | (1 << (bit & 7)) : byte & ~(1 << (bit & 7));
}

/** Collects the bitmaps of a destination that is being built. Serials come in order. */
export class BuiltBits {
  readonly #hours: Uint8Array[] = [];
  #bits = 0;

  add(serial: number, hours: readonly number[]): void {
    this.#bits = serial + 1;
    for (const hour of hours) {
      let bits = (this.#hours[hour] ??= new Uint8Array(PIECE_BYTES));
      if (serial >> 3 >= bits.length) {
        const grown = new Uint8Array(bits.length * 2);
        grown.set(bits);
        this.#hours[hour] = bits = grown;
      }
      setBit(bits, serial, true);
    }
  }

  /** Writes the bitmaps in key order. */
  write({ lists }: IndexStore, destination: number): void {
    for (let hour = 0; hour < BITMAPS; hour++) {
      const bits = this.#hours[hour];
      if (bits === undefined) continue;
      for (let piece = 0; piece * PIECE_BITS < this.#bits; piece++) {
        const part = withoutZeros(bits.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES));
        if (part.length === 0) continue;
        const key = hourKey(destination, hour) + bytesOf(piece, 2);
        lists.putSync(key, Buffer.from(part), { append: true } as never);
      }
    }
  }
}
