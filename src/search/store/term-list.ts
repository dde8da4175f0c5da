import { larger } from '../query/terms.ts';

export const LAST_OF_ROW = 0x8000_0000;
export const TERM_NUMBER = 0x7fff_ffff;

/** The numbers of the terms of rows, one after the other; the last of a row is marked. */
export class TermList {
  #numbers = new Uint32Array(1 << 8);
  #length = 0;

  push(term: number): void {
    if (this.#length === this.#numbers.length) this.#numbers = larger(this.#numbers, this.#length + 1);
    this.#numbers[this.#length++] = term;
  }

  endRow(): void {
    const last = this.#length - 1;
    this.#numbers[last] = ((this.#numbers[last] ?? 0) | LAST_OF_ROW) >>> 0;
  }

  /** Gives what is in the list and empties it. */
  take(): Uint32Array<ArrayBuffer> {
    const taken = this.#numbers.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }
}
