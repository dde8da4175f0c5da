/** A picture as it may be shown: of a known kind, and without what a camera writes into it about place and owner. */
export interface CleanImage {
  extension: 'jpg' | 'png' | 'webp';
  bytes: Buffer;
}

/** Reads a picture by its content, whatever its name says; undefined for anything but JPEG, PNG and WebP. */
export function cleanImage(bytes: Buffer): CleanImage | undefined {
  return cleanJpeg(bytes) ?? cleanPng(bytes) ?? cleanWebp(bytes);
}

const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;
const JPEG_EXIF = 0xe1;
// Frame, pixel density (APP0), colour profile (APP2) and Adobe's colour transform (APP14) decide how it looks.
const JPEG_METADATA = new Set([
  0xe1, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed, 0xef, 0xfe,
]);

function cleanJpeg(bytes: Buffer): CleanImage | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let at = 2;
  let hasFrame = false;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === JPEG_SCAN) {
      if (!hasFrame || bytes.readUInt16BE(bytes.length - 2) !== (0xff00 | JPEG_END)) return undefined;
      kept.push(bytes.subarray(at));
      return { extension: 'jpg', bytes: Buffer.concat(kept) };
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length || end < at + 4) return undefined;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) hasFrame = true;
    const segment = bytes.subarray(at, end);
    if (!JPEG_METADATA.has(marker)) kept.push(segment);
    else if (marker === JPEG_EXIF) kept.push(...orientationOnly(segment));
    at = end;
  }
  return undefined;
}

const EXIF_HEAD = 'Exif\0\0';
const ORIENTATION = 0x0112;

/** Cameras turn a picture by a note in its Exif data. Of all that stands there, only this is kept. */
function orientationOnly(segment: Buffer): Buffer[] {
  const tiff = segment.subarray(10);
  if (segment.toString('latin1', 4, 10) !== EXIF_HEAD || tiff.length < 14) return [];
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const start = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(start); entry++) {
    const at = start + 2 + entry * 12;
    const turn = short(at + 8);
    if (short(at) !== ORIENTATION || turn < 2 || turn > 8) continue;
    const body = Buffer.from(
      `ffe10022${Buffer.from(EXIF_HEAD).toString('hex')}4d4d002a00000008000101120003000000010000000000000000`,
      'hex',
    );
    body.writeUInt16BE(turn, 28);
    return [body];
  }
  return [];
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_KEPT = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'sBIT',
  'pHYs',
  'bKGD',
]);

function cleanPng(bytes: Buffer): CleanImage | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  const kept: Buffer[] = [PNG_SIGNATURE];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length || (at === 8 && type !== 'IHDR')) return undefined;
    if (PNG_KEPT.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND') return { extension: 'png', bytes: Buffer.concat(kept) };
    at = end;
  }
  return undefined;
}

const WEBP_METADATA = new Set(['EXIF', 'XMP ']);
/** In the flags of the extended form: that there is Exif, and that there is XMP. */
const WEBP_METADATA_FLAGS = 0x0c;

function cleanWebp(bytes: Buffer): CleanImage | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined;
  const kept: Buffer[] = [];
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length) return undefined;
    const chunk = Buffer.from(bytes.subarray(at, end));
    if (type === 'VP8X' && length >= 1) chunk.writeUInt8((chunk[8] ?? 0) & ~WEBP_METADATA_FLAGS, 8);
    if (!WEBP_METADATA.has(type)) kept.push(chunk);
    at = end;
  }
  if (!kept.some((chunk) => /^VP8[ L]|^ANMF/.test(chunk.toString('latin1', 0, 4)))) return undefined;
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept]);
  const head = Buffer.alloc(8, 'RIFF', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return { extension: 'webp', bytes: Buffer.concat([head, body]) };
}
