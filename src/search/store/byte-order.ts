/** Groups up to this size are sorted by comparing; larger ones by four bytes at a time. */
const FEW = 12;

/** The numbers of texts in the order of their bytes. The texts stand one after the other and are all different. */
export function inByteOrder(bytes: Uint8Array, ends: Uint32Array): Uint32Array<ArrayBuffer> {
  const keys = new BigUint64Array(ends.length);
  const halves = new Uint32Array(keys.buffer);
  for (let i = 0; i < ends.length; i++) halves[i * 2] = i;
  const startOf = (number: number) => (number === 0 ? 0 : (ends[number - 1] ?? 0));

  /** Four bytes of a text as a number; past its end zeros, so that a beginning comes before what it begins. */
  const fourBytes = (number: number, depth: number) => {
    const at = startOf(number) + depth;
    const end = ends[number] ?? 0;
    let four = 0;
    for (let i = at; i < at + 4; i++) four = (four << 8) | (i < end ? (bytes[i] ?? 0) : 0);
    return four >>> 0;
  };

  const sort = (from: number, to: number, depth: number) => {
    for (let i = from; i < to; i++) halves[i * 2 + 1] = fourBytes(halves[i * 2] ?? 0, depth);
    // As numbers of 64 bits, whose high half are the four bytes: sorted natively.
    keys.subarray(from, to).sort();
    for (let first = from, i = from + 1; i <= to; i++) {
      if (i < to && halves[i * 2 + 1] === halves[first * 2 + 1]) continue;
      if (i - first > FEW) sort(first, i, depth + 4);
      else if (i - first > 1) sortFew(first, i, depth + 4);
      first = i;
    }
  };

  const sortFew = (from: number, to: number, depth: number) => {
    for (let i = from + 1; i < to; i++) {
      const number = halves[i * 2] ?? 0;
      let at = i;
      for (; at > from && isBefore(number, halves[at * 2 - 2] ?? 0, depth); at--)
        halves[at * 2] = halves[at * 2 - 2] ?? 0;
      halves[at * 2] = number;
    }
  };

  const isBefore = (a: number, b: number, depth: number) => {
    const [endA, endB] = [ends[a] ?? 0, ends[b] ?? 0];
    let [i, j] = [startOf(a) + depth, startOf(b) + depth];
    while (i < endA && j < endB && bytes[i] === bytes[j]) {
      i++;
      j++;
    }
    return i >= endA || j >= endB ? i >= endA : (bytes[i] ?? 0) < (bytes[j] ?? 0);
  };

  sort(0, ends.length, 0);
  return Uint32Array.from({ length: ends.length }, (_, i) => halves[i * 2] ?? 0);
}
