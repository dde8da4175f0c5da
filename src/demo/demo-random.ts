import { ulid } from '../core/ids.ts';

/** Stable 32-bit hash of a text, the same on every machine (FNV-1a with a final mix). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Reproducible random numbers (sfc32). It is restarted for every place, so that no place depends on another. */
export class SeededRandom {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  restart(seed: number, stream: number): void {
    // V8 stores signed 32-bit integers unboxed; an unsigned one would make every later draw allocate.
    this.#a = mix(seed ^ 0x9e3779b9) | 0;
    // Seeds above 32 bits are used in full.
    this.#b = mix(Math.floor(seed / 0x1_0000_0000) + mix(stream)) | 0;
    this.#c = mix(stream ^ 0x5bf03635) | 0;
    this.#counter = 1;
    for (let i = 0; i < 12; i++) this.bits();
  }

  bits(): number {
    const out = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + out) | 0;
    return out >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  unit(): number {
    return this.bits() / 0x1_0000_0000;
  }

  below(limit: number): number {
    return Math.floor((this.bits() / 0x1_0000_0000) * limit);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** Returns a bell-shaped value between -1 and 1. It is computed from sums, which round alike on every processor. */
  bell(): number {
    return (this.unit() + this.unit() + this.unit() + this.unit()) / 2 - 1;
  }

  pick<T>(list: readonly T[]): T {
    const value = list[this.below(list.length)];
    if (value === undefined) throw new Error('Nothing can be picked from an empty list.');
    return value;
  }
}

/** Repeats each value by its weight, so that a weighted choice is a plain `pick`. */
export function byWeight<T>(entries: Iterable<readonly [T, number]>): readonly T[] {
  const table: T[] = [];
  for (const [value, weight] of entries) for (let i = 0; i < weight; i++) table.push(value);
  return table;
}

/** Parses `pizza 6|seafood 2`: words with integer weights. */
export function readWeights(text: string): [string, number][] {
  return text.split('|').map((entry) => {
    const [word = '', weight = '1'] = entry.split(' ');
    return [word, Number(weight)];
  });
}

// Ids grow with the index, because a B-tree that only grows at its end loads several times faster.
const FIRST_ID_TIME_MS = Date.UTC(2026, 0, 1);
const entropy = new DataView(new ArrayBuffer(12));
const ENTROPY_BYTES = new Uint8Array(entropy.buffer);

export function demoPlaceId(index: number, random: SeededRandom): string {
  for (let at = 0; at < 12; at += 4) entropy.setUint32(at, random.bits());
  return `plc_${ulid(FIRST_ID_TIME_MS + index, ENTROPY_BYTES)}`;
}
