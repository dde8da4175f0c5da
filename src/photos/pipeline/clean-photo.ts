import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { READING } from './inspect-upload.ts';
import { isBareJpeg } from './bare-jpeg.ts';
import { previewMark } from './preview-mark.ts';
import { PhotoRefused } from './refusal.ts';

interface Picture {
  full: Buffer;
  width: number;
  height: number;
}

export interface CleanPhoto extends Picture {
  sha256: Buffer;
  previews: Record<480 | 1080, Buffer>;
  /** 64 characters 0 and 1. */
  lookHash: string;
}

const FULL_QUALITY = 92;
const PREVIEW_QUALITY = 78;

/**
 * Makes new files out of the pixels alone. Nothing else of the upload survives: no note of a camera, no second file
 * behind the first, no profile. Colours are those of the common screen, and the picture stands upright.
 */
export async function cleanPhoto(upload: Buffer): Promise<CleanPhoto> {
  const { data: full, info } = await encode(upload);
  await assertBare(full);
  const picture = { full, width: info.width, height: info.height };
  return {
    ...picture,
    sha256: createHash('sha256').update(full).digest(),
    previews: { 480: await preview(picture, 480), 1080: await preview(picture, 1080) },
    lookHash: await lookHash(full),
  };
}

async function encode(upload: Buffer) {
  try {
    return await sharp(upload, READING)
      .autoOrient()
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .jpeg({ quality: FULL_QUALITY })
      .toBuffer({ resolveWithObject: true });
  } catch (cause) {
    throw new PhotoRefused('damaged', { cause });
  }
}

/** Reads back what was written: a new version of a library must not be able to let something through. */
async function assertBare(full: Buffer): Promise<void> {
  const { exif, iptc, xmp, icc, orientation, comments } = await sharp(full).metadata();
  const held = [exif, iptc, xmp, icc, orientation, comments].some((one) => one !== undefined);
  if (held || !isBareJpeg(full)) throw new Error('The clean copy of a photo still carries metadata.');
}

/** As wide as asked, with a mark over it; one that is very tall is made narrower. */
async function preview({ full, width, height }: Picture, wanted: 480 | 1080): Promise<Buffer> {
  const scale = Math.min(1, wanted / width, (2 * wanted) / height);
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  const marked = await sharp(full)
    .resize(across, down, { fit: 'fill' })
    .composite([{ input: previewMark(across, down) }])
    .jpeg({ quality: PREVIEW_QUALITY, progressive: true })
    .toBuffer();
  await assertBare(marked);
  return marked;
}

const HASH_WIDTH = 9;
const HASH_HEIGHT = 8;

/** Whether each spot is brighter than the one to its left: it survives scaling, encoding and small corrections. */
async function lookHash(full: Buffer): Promise<string> {
  const grey = await sharp(full)
    .greyscale()
    .resize(HASH_WIDTH, HASH_HEIGHT, { fit: 'fill' })
    .raw()
    .toBuffer();
  let bits = '';
  for (let row = 0; row < HASH_HEIGHT; row++)
    for (let column = 1; column < HASH_WIDTH; column++) {
      const at = row * HASH_WIDTH + column;
      bits += (grey[at] ?? 0) > (grey[at - 1] ?? 0) ? '1' : '0';
    }
  return bits;
}
