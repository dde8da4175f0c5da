import type { Metadata, SharpOptions } from 'sharp';
import { PhotoRefused } from './refusal.ts';

export const UPLOAD_BYTES_MAX = 25 * 2 ** 20;
const SIDE_MAX = 20_000;
const PIXELS_MAX = 100_000_000;
const LONG_SIDE_MIN = 1_000;
const SHORT_SIDE_MIN = 500;

/** How every upload is opened: the header is judged before a pixel is decoded, and half a picture is none. */
export const READING: SharpOptions = { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true };

export interface Inspected {
  /** As the picture is looked at, which is not always how it is stored. */
  width: number;
  height: number;
  exif: Buffer | undefined;
}

/** HEIC is left out on purpose: iPhones then hand over a JPEG. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/tiff,image/avif,image/gif';

/** A picture that can be licensed is large enough for it. */
export async function inspectUpload(bytes: Buffer): Promise<Inspected> {
  const inspected = await inspectPicture(bytes);
  const { width, height } = inspected;
  if (Math.max(width, height) < LONG_SIDE_MIN || Math.min(width, height) < SHORT_SIDE_MIN)
    throw new PhotoRefused('too_small');
  return inspected;
}

/** Looks at the first bytes and the header only, so that the person who sent it learns at once that it will not do. */
export async function inspectPicture(bytes: Buffer): Promise<Inspected> {
  if (bytes.length === 0) throw new PhotoRefused('empty');
  if (bytes.length > UPLOAD_BYTES_MAX) throw new PhotoRefused('too_large');
  const format = formatOf(bytes);
  const header = await readHeader(bytes);
  // What the first bytes say and what the reader takes it for must be one, or the file is two things at once.
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

/** Brands of the HEIF family that hold AV1 pictures, which we read. Those with HEVC inside are what iPhones make. */
const AVIF_BRANDS = ['avif', 'avis'];
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];

/** The kind of a picture by its first bytes, whatever its name says. Only these kinds are ever handed to a reader. */
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
