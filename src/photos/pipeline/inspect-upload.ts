import type { Metadata, SharpOptions } from 'sharp';
import { PhotoRefused } from './refusal.ts';

export const UPLOAD_BYTES_MAX = 25 * 2 ** 20;
const SIDE_MAX = 20_000;
const PIXELS_MAX = 100_000_000;
const LONG_SIDE_MIN = 1_000;
const SHORT_SIDE_MIN = 500;

/** Options for opening every upload: the header is checked first, and a truncated picture is refused. */
export const READING: SharpOptions = { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true };

interface Inspected {
  /** Dimensions as displayed, which may differ from those stored. */
  width: number;
  height: number;
  exif: Buffer | undefined;
}

/** HEIC is left out on purpose: iPhones then send a JPEG. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/tiff,image/avif,image/gif';

/** Checks a picture to be licensed, which must be large enough. */
export async function inspectUpload(bytes: Buffer): Promise<Inspected> {
  const inspected = await inspectPicture(bytes);
  const { width, height } = inspected;
  if (Math.max(width, height) < LONG_SIDE_MIN || Math.min(width, height) < SHORT_SIDE_MIN)
    throw new PhotoRefused('too_small');
  return inspected;
}

/** Checks the first bytes and the header only, so that the sender gets a refusal at once. */
export async function inspectPicture(bytes: Buffer): Promise<Inspected> {
  if (bytes.length === 0) throw new PhotoRefused('empty');
  if (bytes.length > UPLOAD_BYTES_MAX) throw new PhotoRefused('too_large');
  const format = formatOf(bytes);
  const header = await readHeader(bytes);
  // The format by the first bytes must equal the one that the decoder detects, or the file is a polyglot.
  if (header.format !== format) throw new PhotoRefused('not_a_picture');
  const { width, height } = header.autoOrient;
  if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX)
    throw new PhotoRefused('too_many_pixels');
  return { width, height, exif: header.exif };
}

async function readHeader(bytes: Buffer): Promise<Metadata> {
  try {
    const { default: sharp } = await import('sharp');
    return await sharp(bytes, READING).metadata();
  } catch (cause) {
    throw new PhotoRefused(/pixel limit/i.test(String(cause)) ? 'too_many_pixels' : 'damaged', { cause });
  }
}

type Format = 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'heif';

/** HEIF brands with AV1 pictures, which we can decode. Those with HEVC are what iPhones produce. */
const AVIF_BRANDS = ['avif', 'avis'];
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];

/** Detects the format by the first bytes, whatever the file's name. Only these formats are passed to a decoder. */
function formatOf(bytes: Buffer): Format {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (bytes.length < 16) throw new PhotoRefused('not_a_picture');
  if (text(0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp';
  if (text(0, 4) === 'II*\0' || text(0, 4) === 'MM\0*') return 'tiff';
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'gif';
  if (text(4, 8) === 'ftyp') return heifFormat(bytes);
  const start = text(0, 1024)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (start.startsWith('%PDF') || /<svg[\s>]|<\?xml|<!doctype svg/i.test(start))
    throw new PhotoRefused('drawing');
  throw new PhotoRefused('not_a_picture');
}

function heifFormat(bytes: Buffer): Format {
  const length = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= length; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'heif';
  throw new PhotoRefused(brands.some((brand) => HEIC_BRANDS.includes(brand)) ? 'heic' : 'not_a_picture');
}
