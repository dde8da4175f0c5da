export interface IdRange {
  min: number;
  max: number;
}

/** Set of ids in one sorted typed array: eight bytes each, found by binary search. */
export class SortedIds {
  readonly ids: Float64Array;

  /** Takes ownership of the array: sorts it and removes duplicates. */
  constructor(ids: Float64Array) {
    ids.sort();
    let count = 0;
    for (let at = 0; at < ids.length; at++) {
      if (at === 0 || ids[at] !== ids[at - 1]) ids[count++] = ids[at] ?? 0;
    }
    this.ids = ids.subarray(0, count);
  }

  /** Returns the index of the first id that is not below the given one. */
  indexFrom(id: number): number {
    let low = 0;
    let high = this.ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ids[middle] ?? Infinity) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  hasAny({ min, max }: IdRange): boolean {
    const next = this.ids[this.indexFrom(min)];
    return next !== undefined && next <= max;
  }
}
