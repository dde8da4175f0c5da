/** Ascending numbers as the differences between them, seven bits a byte: a list takes one to two bytes an entry. */
export function packNumbers(numbers: ArrayLike<number>, from: number, to: number, head: Buffer): Buffer {
  const packed = Buffer.allocUnsafe(head.length + (to - from) * 6);
  head.copy(packed);
  let at = head.length;
  let last = 0;
  for (let i = from; i < to; i++) {
    const number = numbers[i] ?? 0;
    at = writeNumber(packed, at, number - last);
    last = number;
  }
  return packed.subarray(0, at);
}

export function writeNumber(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 2 ** 28; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128;
  for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
  bytes[at++] = rest;
  return at;
}

/** The bytes may be those of a read, which the next one overwrites: nothing of them is kept. */
export function unpackNumbers(bytes: Buffer, start: number): Float64Array {
  const { length } = bytes;
  const numbers = new Float64Array(length - start);
  let count = 0;
  let last = 0;
  for (let at = start; at < length;) {
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    // Nearly all differences fit into 28 bits; the first number of a list may not.
    for (let shift = 7; byte >= 128 && shift < 28; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    for (let scale = 2 ** 28; byte >= 128; scale *= 128) {
      byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
    }
    last += value;
    numbers[count++] = last;
  }
  return numbers.subarray(0, count);
}
