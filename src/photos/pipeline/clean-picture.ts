import { isBareJpeg } from './bare-jpeg.ts';
import { READING } from './inspect-upload.ts';
import { PhotoRefused } from './refusal.ts';

export interface Picture {
  full: Buffer;
  width: number;
  height: number;
}

const QUALITY = 92;

/** Makes an upright sRGB JPEG from the pixels alone. No metadata, second picture or profile survives. */
export async function cleanPicture(upload: Buffer, sideMax?: number): Promise<Picture> {
  const { data: full, info } = await encode(upload, sideMax);
  await assertBare(full);
  return { full, width: info.width, height: info.height };
}

async function encode(upload: Buffer, sideMax: number | undefined) {
  const { default: sharp } = await import('sharp');
  const upright = sharp(upload, READING).autoOrient();
  if (sideMax !== undefined) upright.resize(sideMax, sideMax, { fit: 'inside', withoutEnlargement: true });
  try {
    return await upright
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true });
  } catch (cause) {
    throw new PhotoRefused('damaged', { cause });
  }
}

/** Reads the result back: a new library version must not be able to let metadata through. */
export async function assertBare(full: Buffer): Promise<void> {
  const { default: sharp } = await import('sharp');
  const { exif, iptc, xmp, icc, orientation, comments } = await sharp(full).metadata();
  const hasMetadata = [exif, iptc, xmp, icc, orientation, comments].some((one) => one !== undefined);
  if (hasMetadata || !isBareJpeg(full)) throw new Error('The clean copy of a photo still carries metadata.');
}
