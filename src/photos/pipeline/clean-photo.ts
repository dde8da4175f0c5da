import { createHash } from 'node:crypto';
import { assertBare, cleanPicture, type Picture } from './clean-picture.ts';
import type { PreviewWidth } from '../photo-storage.ts';
import { previewMark } from './preview-mark.ts';

interface CleanPhoto extends Picture {
  sha256: Buffer;
  previews: Record<PreviewWidth, Buffer>;
  /** 64 characters, each 0 or 1. */
  lookHash: string;
}

const PREVIEW_QUALITY = 78;

export async function cleanPhoto(upload: Buffer): Promise<CleanPhoto> {
  const picture = await cleanPicture(upload);
  const { full } = picture;
  return {
    ...picture,
    sha256: createHash('sha256').update(full).digest(),
    previews: { 480: await drawPreview(picture, 480), 1080: await drawPreview(picture, 1080) },
    lookHash: await lookHash(full),
  };
}

/** Scales a picture to the given width and adds the mark; a very tall one becomes narrower. */
export async function drawPreview(
  { full, width, height }: Picture,
  targetWidth: PreviewWidth,
): Promise<Buffer> {
  const scale = Math.min(1, targetWidth / width, (2 * targetWidth) / height);
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  const { default: sharp } = await import('sharp');
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

/** Difference hash: whether each spot is brighter than the one to its left. It survives scaling and encoding. */
async function lookHash(full: Buffer): Promise<string> {
  const { default: sharp } = await import('sharp');
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
