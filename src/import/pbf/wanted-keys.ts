/** Finds tag keys in a block's string table by their bytes, so that the many other strings are never decoded. */
export class WantedKeys {
  readonly #byShape = new Map<number, string[]>();

  constructor(keys: Iterable<string>) {
    for (const key of keys) {
      const bytes = Buffer.from(key);
      this.#byShape.getOrInsert(shapeOf(bytes, 0, bytes.length), []).push(key);
    }
  }

  has(bytes: Buffer, start: number, end: number): boolean {
    const keys = this.#byShape.get(shapeOf(bytes, start, end));
    return keys?.includes(bytes.toString('latin1', start, end)) === true;
  }
}

/** Combines length, first and last byte into one number, which is enough to exclude almost everything. */
function shapeOf(bytes: Uint8Array, start: number, end: number): number {
  return ((end - start) << 16) | ((bytes[start] ?? 0) << 8) | (bytes[end - 1] ?? 0);
}
