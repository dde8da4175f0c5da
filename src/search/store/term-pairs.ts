const ENTRY = 3;
const FREE = 0xffff_ffff;

/**
 * The term that two numbers make together, such as a word and a destination. In place of millions of texts that would
 * have to be made and looked up, it reads three numbers that stand side by side.
 */
export class TermPairs {
  #entries = new Uint32Array(ENTRY << 10).fill(FREE);
  #slots = 1 << 10;
  #count = 0;

  get(first: number, second: number): number | undefined {
    const at = this.#find(first, second);
    return this.#entries[at] === FREE ? undefined : this.#entries[at + 2];
  }

  set(first: number, second: number, term: number): number {
    if (this.#count++ * 2 > this.#slots) this.#grow();
    this.#entries.set([first, second, term], this.#find(first, second));
    return term;
  }

  /** Where the pair stands, or the free place where it belongs. */
  #find(first: number, second: number): number {
    const entries = this.#entries;
    const mask = this.#slots - 1;
    const hash = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b);
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * ENTRY;
      if (entries[at] === FREE || (entries[at] === first && entries[at + 1] === second)) return at;
    }
  }

  #grow(): void {
    const old = this.#entries;
    this.#slots *= 2;
    this.#entries = new Uint32Array(this.#slots * ENTRY).fill(FREE);
    for (let at = 0; at < old.length; at += ENTRY) {
      const [first = FREE, second = 0] = [old[at], old[at + 1]];
      if (first !== FREE) this.#entries.set(old.subarray(at, at + ENTRY), this.#find(first, second));
    }
  }
}
