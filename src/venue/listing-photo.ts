import { createHash } from 'node:crypto';
import type { OperationDeps } from '../core/context.ts';
import { readStored } from '../photos/photo-storage.ts';
import { isBareJpeg } from '../photos/pipeline/bare-jpeg.ts';
import { cleanPicture } from '../photos/pipeline/clean-picture.ts';
import { inspectPicture } from '../photos/pipeline/inspect-upload.ts';
import { PhotoRefused } from '../photos/pipeline/refusal.ts';

export const PHOTO_BYTES_MAX = 8 * 2 ** 20;
/** Maximum side in pixels: twice the displayed width. */
const SIDE_MAX = 2_400;

type Files = Pick<OperationDeps, 'photoStorage'>;

/** Files stored before every picture was re-encoded may be named PNG or WebP. */
const FILE = /^[0-9a-f]{64}\.(?:jpg|png|webp)$/;

/** Stores a picture under the hash of its content, and returns the file name. May throw PhotoRefused. */
export async function storePhoto(deps: Files, upload: Buffer): Promise<string> {
  await inspectPicture(upload);
  const { full } = await cleanPicture(upload, SIDE_MAX);
  const name = `${createHash('sha256').update(full).digest('hex')}.jpg`;
  await deps.photoStorage.put(listingFileOf(name), full, 'image/jpeg');
  return name;
}

export async function readPhoto(
  deps: Files,
  name: string,
): Promise<{ bytes: Buffer; contentType: string } | undefined> {
  if (!FILE.test(name)) return undefined;
  const stored = await readStored(deps.photoStorage, listingFileOf(name));
  if (stored === undefined) return undefined;
  try {
    return { bytes: await withoutMetadata(deps, name, stored), contentType: 'image/jpeg' };
  } catch (error) {
    if (error instanceof PhotoRefused) return undefined;
    throw error;
  }
}

/** Re-encodes an older picture as JPEG on request, because it may contain metadata besides its pixels. */
async function withoutMetadata(deps: Files, name: string, stored: Buffer): Promise<Buffer> {
  if (isBareJpeg(stored)) return stored;
  await inspectPicture(stored);
  const { full } = await cleanPicture(stored, SIDE_MAX);
  await deps.photoStorage.put(listingFileOf(name), full, 'image/jpeg');
  return full;
}

export function listingFileOf(name: string): string {
  return `listing/${name}`;
}
