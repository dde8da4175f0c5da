/** Writes the protobuf wire format that `Wire` reads. */
export class WireWriter {
  #bytes = Buffer.allocUnsafe(1024);
  #at = 0;

  get length(): number {
    return this.#at;
  }

  /** Bytes written so far; valid until the next write. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  varint(value: number): this {
    this.#reserve(10);
    let remaining = value;
    while (remaining >= 0x80) {
      this.#bytes[this.#at++] = (remaining % 128) | 0x80;
      remaining = Math.floor(remaining / 128);
    }
    this.#bytes[this.#at++] = remaining;
    return this;
  }

  zigzag(value: number): this {
    return this.varint(value >= 0 ? value * 2 : -value * 2 - 1);
  }

  number(field: number, value: number): this {
    return this.varint(field * 8).varint(value);
  }

  /** Writes a length-delimited part under its field. */
  part(field: number, content: Uint8Array): this {
    this.varint(field * 8 + 2).varint(content.length);
    this.#reserve(content.length);
    this.#bytes.set(content, this.#at);
    this.#at += content.length;
    return this;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Writes numbers as differences from the previous one. */
export function writeDeltas(values: readonly number[]): Buffer {
  const writer = new WireWriter();
  let before = 0;
  for (const value of values) {
    writer.zigzag(value - before);
    before = value;
  }
  return writer.bytes;
}

export function row(values: readonly number[]): Buffer {
  const writer = new WireWriter();
  for (const value of values) writer.varint(value);
  return writer.bytes;
}
