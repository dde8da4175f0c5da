/** Writes a whole number below 2 ** 56 in the form of SQLite, seven bits to a byte, the highest first; gives its end. */
export function putVarint(bytes: Uint8Array, at: number, value: number): number {
  if (value < 0x80) {
    bytes[at] = value;
    return at + 1;
  }
  if (value < 0x4000) {
    bytes[at] = (value >> 7) | 0x80;
    bytes[at + 1] = value & 0x7f;
    return at + 2;
  }
  if (value < 0x20_0000) {
    bytes[at] = (value >> 14) | 0x80;
    bytes[at + 1] = ((value >> 7) & 0x7f) | 0x80;
    bytes[at + 2] = value & 0x7f;
    return at + 3;
  }
  let length = 4;
  for (let rest = value / 2 ** 28; rest >= 1; rest /= 128) length++;
  let rest = value;
  for (let i = length - 1; i >= 0; i--) {
    const high = Math.floor(rest / 128);
    bytes[at + i] = rest - high * 128 + (i === length - 1 ? 0 : 0x80);
    rest = high;
  }
  return at + length;
}
