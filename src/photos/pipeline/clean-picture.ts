import { isBareJpeg } from './bare-jpeg.ts';
import { READING } from './inspect-upload.ts';
import { PhotoRefused } from './refusal.ts';

export interface Picture {
  full: Buffer;
  width: number;
  height: number;
}

const QUALITY = 92;

/**
 * Makes a new JPEG out of the pixels alone. Nothing else of the upload survives: no note of a camera, no second picture
 * behind the first, no profile. Colours are those of the common screen, and the picture stands upright.
 */
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

/** Reads back what was written: a new version of a library must not be able to let something through. */
export async function assertBare(full: Buffer): Promise<void> {
  const { default: sharp } = await import('sharp');
  const { exif, iptc, xmp, icc, orientation, comments } = await sharp(full).metadata();
  const held = [exif, iptc, xmp, icc, orientation, comments].some((one) => one !== undefined);
  if (held || !isBareJpeg(full)) throw new Error('The clean copy of a photo still carries metadata.');
}
