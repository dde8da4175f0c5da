/** Invalid protobuf data; the file reader adds the position. */
export class WireError extends Error {}

const TWO_28 = 2 ** 28;

/** Decodes a signed number. They are written as 0, -1, 1, -2 …, so that small ones stay short. */
export function unzigzag(value: number): number {
  if (value < 0x80000000) return (value >>> 1) ^ -(value & 1);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** Reads the bytes of one protobuf message. Numbers beyond 2^53 do not occur in map data. */
export class Wire {
  readonly bytes: Uint8Array;
  pos: number;
  readonly end: number;

  constructor(bytes: Uint8Array, pos = 0, end = bytes.length) {
    if (pos > end || end > bytes.length) throw new WireError('a part is longer than its container');
    this.bytes = bytes;
    this.pos = pos;
    this.end = end;
  }

  get more(): boolean {
    return this.pos < this.end;
  }

  /** Reads an unsigned number. Most take few bytes, so those are read without a loop. */
  varint(): number {
    const { bytes } = this;
    // A read past the end of the array gives undefined, which counts as 0; the check below catches it.
    let byte = bytes[this.pos++] as number;
    let value = byte & 0x7f;
    if (byte >= 0x80) {
      byte = bytes[this.pos++] as number;
      value |= (byte & 0x7f) << 7;
      if (byte >= 0x80) {
        byte = bytes[this.pos++] as number;
        value |= (byte & 0x7f) << 14;
        if (byte >= 0x80) {
          byte = bytes[this.pos++] as number;
          value |= (byte & 0x7f) << 21;
          if (byte >= 0x80) value = this.#longVarint(value);
        }
      }
    }
    if (this.pos > this.end) throw new WireError('a number runs past the end');
    return value;
  }

  #longVarint(low: number): number {
    let value = low;
    let scale = TWO_28;
    for (let length = 4; length < 9; length++) {
      const byte = this.bytes[this.pos++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    // The tenth byte of a negative number sets the sign bit: -1 is written as 2^64 - 1.
    const last = this.bytes[this.pos++] ?? 0;
    if (last > 1) throw new WireError('a number has too many bytes');
    return last === 0 ? value : this.#negative();
  }

  #negative(): number {
    let value = 0n;
    for (let at = 0n; at < 10n; at++) {
      value |= BigInt((this.bytes[this.pos - 10 + Number(at)] ?? 0) & 0x7f) << (at * 7n);
    }
    return Number(BigInt.asIntN(64, value));
  }

  zigzag(): number {
    return unzigzag(this.varint());
  }

  /** Reads a length-delimited part in place and advances past it. */
  part(): Wire {
    const length = this.varint();
    const start = this.pos;
    if (length > this.end - start) throw new WireError('a part is longer than its container');
    this.pos = start + length;
    return new Wire(this.bytes, start, this.pos);
  }

  /** Advances to the content of the next field with this tag; false when there is none. */
  seek(tag: number): boolean {
    while (this.more) {
      const field = this.varint();
      if (field === tag) return true;
      this.skip(field & 7);
    }
    return false;
  }

  slice(): Uint8Array {
    const { pos, end, bytes } = this.part();
    return bytes.subarray(pos, end);
  }

  skip(wireType: number): void {
    let length = 0;
    if (wireType === 0) this.varint();
    else if (wireType === 1) length = 8;
    else if (wireType === 2) length = this.varint();
    else if (wireType === 5) length = 4;
    else throw new WireError(`there is no wire type ${wireType}`);
    this.pos += length;
    if (this.pos > this.end) throw new WireError('a field runs past the end');
  }
}
