import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../core/context.ts';
import { cleanImage } from './clean-image.ts';

export const PHOTO_BYTES_MAX = 8 * 2 ** 20;

const TYPES = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const;
const FILE = /^[0-9a-f]{64}\.(jpg|png|webp)$/;

/** Stores a picture under the name of its content, and returns that name; undefined when it is no picture that we show. */
export async function storePhoto({ config, newId }: Deps, given: Buffer): Promise<string | undefined> {
  const image = given.length <= PHOTO_BYTES_MAX ? cleanImage(given) : undefined;
  if (image === undefined) return undefined;
  const folder = photoFolder(config.dataDir);
  const name = `${createHash('sha256').update(image.bytes).digest('hex')}.${image.extension}`;
  await mkdir(folder, { recursive: true });
  // Written beside and renamed, so that nobody ever reads half a picture.
  const part = join(folder, `${newId('req')}.part`);
  await writeFile(part, image.bytes);
  await rename(part, join(folder, name));
  return name;
}

/** A stored picture with its type, or undefined. */
export async function readPhoto(
  { config }: Deps,
  name: string,
): Promise<{ bytes: Buffer; contentType: string } | undefined> {
  const extension = FILE.exec(name)?.[1] as keyof typeof TYPES | undefined;
  if (extension === undefined) return undefined;
  try {
    const bytes = await readFile(join(photoFolder(config.dataDir), name));
    return { bytes, contentType: TYPES[extension] };
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'ENOENT') return undefined;
    throw thrown;
  }
}

function photoFolder(dataDir: string): string {
  return join(dataDir, 'photos', 'listing');
}
