const SCAN = 0xda;
const END = 0xd9;
const JFIF = 0xe0;
/** Frames and the tables that they need: a decoder reads these and nothing else. */
const TABLES = new Set([0xdb, 0xdd, ...Array.from({ length: 16 }, (_, at) => 0xc0 + at)]);
const JFIF_BYTES = 16;

/** True when a JPEG contains only its picture: no application segments, no comments, nothing after its end. */
export function isBareJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return false;
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return false;
    if (marker === END) return at + 2 === bytes.length;
    if (marker !== SCAN && !TABLES.has(marker) && !isJfif(bytes, at)) return false;
    const next = at + 2 + bytes.readUInt16BE(at + 2);
    at = marker === SCAN ? endOfScan(bytes, next) : next;
  }
  return bytes.length === at + 2 && bytes.readUInt16BE(at) === (0xff00 | END);
}

/** The JFIF header that every encoder writes first. It has room for a thumbnail, which we never store there. */
function isJfif(bytes: Buffer, at: number): boolean {
  return (
    at === 2 &&
    bytes[at + 1] === JFIF &&
    bytes.readUInt16BE(at + 2) === JFIF_BYTES &&
    bytes.toString('latin1', at + 4, at + 9) === 'JFIF\0'
  );
}

/** Inside a scan, a marker is an FF that is followed neither by stuffing (00) nor by a restart marker (D0 to D7). */
function endOfScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && at + 1 < bytes.length) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
    at = bytes.indexOf(0xff, at + 2);
  }
  return bytes.length;
}
