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

/** Reads numbers one after the other. */
export class NumberReader {
  #bytes: Buffer;
  #at: number;
  #last = 0;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The next number, which is greater than the one before. */
  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] ?? 0;
    let value = byte & 127;
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = bytes[this.#at++] ?? 0;
      value += (byte & 127) * scale;
    }
    this.#last += value;
    return this.#last;
  }
}

export function unpackNumbers(bytes: Buffer, at: number): number[] {
  const numbers: number[] = [];
  for (const reader = new NumberReader(bytes, at); !reader.ended;) numbers.push(reader.next());
  return numbers;
}
