const CHUNK_IDS = 65_536;

/** Lists of node ids in few typed arrays: eight bytes per id, and nothing for the garbage collector to follow. */
export class RefLists {
  readonly #chunks: Float64Array[] = [];
  #last = new Float64Array();
  #used = 0;
  /** Number of ids in all lists. */
  size = 0;

  add(refs: readonly number[]): void {
    const length = refs.length + 1;
    if (this.#used + length > this.#last.length) {
      this.#last = new Float64Array(Math.max(CHUNK_IDS, length));
      this.#chunks.push(this.#last);
      this.#used = 0;
    }
    // Zero follows the last list of a chunk, so the number before a list is greater than its length.
    this.#last[this.#used] = length;
    this.#last.set(refs, this.#used + 1);
    this.#used += length;
    this.size += refs.length;
  }

  /** Yields the lists in the order in which they were added. */
  *all(): Generator<Float64Array, undefined> {
    for (const chunk of this.#chunks) {
      for (let at = 0; at < chunk.length;) {
        const length = chunk[at] ?? 0;
        if (length === 0) break;
        yield chunk.subarray(at + 1, at + length);
        at += length;
      }
    }
  }
}
