import { bytesOf, destinationKey } from './keys.ts';
import type { IndexStore } from './index-store.ts';
import { serialOf } from './rank.ts';

/** Which places of a destination are open in an hour of their ordinary week, as bits by serial, piece by piece. */
export const WEEK_HOURS = 168;
/** Beside the hours: places whose hours nobody has verified. */
export const UNVERIFIED = WEEK_HOURS;
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

  /** How many bits are set. */
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
  return destinationKey(destination) + BITS_MARK + String.fromCharCode(hour);
}

/** Bits that change, by their pieces. */
export class BitChanges {
  readonly #pieces = new Map<string, Map<number, boolean>>();

  set(destination: number, hour: number, serial: number, on: boolean): void {
    const key = hourKey(destination, hour) + bytesOf(Math.floor(serial / PIECE_BITS), 2);
    let piece = this.#pieces.get(key);
    if (piece === undefined) this.#pieces.set(key, (piece = new Map<number, boolean>()));
    piece.set(serial % PIECE_BITS, on);
  }

  write({ lists }: IndexStore): void {
    for (const [key, bits] of this.#pieces) {
      const piece = Buffer.alloc(PIECE_BYTES);
      lists.getBinary(key)?.copy(piece);
      for (const [bit, on] of bits) setBit(piece, bit, on);
      const kept = withoutZeros(piece);
      if (kept.length > 0) lists.putSync(key, Buffer.from(kept));
      else lists.removeSync(key);
    }
    this.#pieces.clear();
  }
}

/** A small destination fills only the beginning of a piece. */
function withoutZeros(piece: Uint8Array): Uint8Array {
  let end = piece.length;
  while (end > 0 && piece[end - 1] === 0) end--;
  return piece.subarray(0, end);
}

function setBit(piece: Uint8Array, bit: number, on: boolean): void {
  const byte = piece[bit >> 3] ?? 0;
  piece[bit >> 3] = on ? byte | (1 << (bit & 7)) : byte & ~(1 << (bit & 7));
}

/** All hours of a destination that is being built, whose serials come in order. */
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

  /** In the order of the keys. */
  write({ lists }: IndexStore, destination: number): void {
    for (let hour = 0; hour <= UNVERIFIED; hour++) {
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
