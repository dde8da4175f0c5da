import { createHash } from 'node:crypto';
import type { OperationDeps } from '../core/context.ts';
import { readStored } from '../photos/photo-storage.ts';
import { isBareJpeg } from '../photos/pipeline/bare-jpeg.ts';
import { cleanPicture } from '../photos/pipeline/clean-picture.ts';
import { inspectPicture } from '../photos/pipeline/inspect-upload.ts';
import { PhotoRefused } from '../photos/pipeline/refusal.ts';

export const PHOTO_BYTES_MAX = 8 * 2 ** 20;
/** Twice as wide as a page shows it. */
const SIDE_MAX = 2_400;

type Files = Pick<OperationDeps, 'photoStorage'>;

/** Names from before every picture was made anew may say PNG or WebP. */
const FILE = /^[0-9a-f]{64}\.(?:jpg|png|webp)$/;

/** Stores a picture under the name of its content, and returns that name; one that cannot be shown is PhotoRefused. */
export async function storePhoto(deps: Files, given: Buffer): Promise<string> {
  await inspectPicture(given);
  const { full } = await cleanPicture(given, SIDE_MAX);
  const name = `${createHash('sha256').update(full).digest('hex')}.jpg`;
  await deps.photoStorage.put(listingFileOf(name), full, 'image/jpeg');
  return name;
}

/** A stored picture with its type, or undefined. */
export async function readPhoto(
  deps: Files,
  name: string,
): Promise<{ bytes: Buffer; contentType: string } | undefined> {
  if (!FILE.test(name)) return undefined;
  const stored = await readStored(deps.photoStorage, listingFileOf(name));
  if (stored === undefined) return undefined;
  try {
    return { bytes: await withoutNotes(deps, name, stored), contentType: 'image/jpeg' };
  } catch (thrown) {
    if (thrown instanceof PhotoRefused) return undefined;
    throw thrown;
  }
}

/** A picture that was stored before may hold more than its pixels: it is made anew, as a JPEG, when it is asked for. */
async function withoutNotes(deps: Files, name: string, stored: Buffer): Promise<Buffer> {
  if (isBareJpeg(stored)) return stored;
  await inspectPicture(stored);
  const { full } = await cleanPicture(stored, SIDE_MAX);
  await deps.photoStorage.put(listingFileOf(name), full, 'image/jpeg');
  return full;
}

/** Where a picture of this name lies in the store. */
export function listingFileOf(name: string): string {
  return `listing/${name}`;
}
