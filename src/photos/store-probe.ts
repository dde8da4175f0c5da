import { randomBytes } from 'node:crypto';
import type { Db } from '../core/postgres/db.ts';
import { openPhotoStorage, type StorageSettings } from './storage/open-storage.ts';
import { readStored } from './photo-storage.ts';

/** Nodes of one database use different photo stores; the message explains what to do. */
export class PhotoStoreError extends Error {}

/** Verifies that this node finds the file that the first node wrote. A transaction must serialize the nodes. */
export async function checkPhotoStore(tx: Db, settings: StorageSettings): Promise<void> {
  const storage = openPhotoStorage(settings);
  await tx`lock table photo_store in exclusive mode`;
  const [recorded] = await tx<{ probe: string }[]>`select probe from photo_store`;
  if (recorded !== undefined) {
    const content = await attempt(settings, () => readStored(storage, keyOf(recorded.probe)));
    if (content?.toString() === recorded.probe) return;
    throw new PhotoStoreError(
      `The photo store (${nameOf(settings)}) is not the store of the other nodes on this database: it has no file ` +
        `${keyOf(recorded.probe)}. Set PHOTO_DIR to a folder that all nodes see, or PHOTO_S3_URL and its bucket; ` +
        'if the files were moved here, move that file too.',
    );
  }
  const probe = randomBytes(16).toString('hex');
  await attempt(settings, () => storage.put(keyOf(probe), Buffer.from(probe), 'text/plain'));
  await tx`insert into photo_store (probe) values (${probe})`;
}

async function attempt<Result>(settings: StorageSettings, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PhotoStoreError(
      `The photo store (${nameOf(settings)}) cannot be used: ${reason}. Check PHOTO_DIR or PHOTO_S3_URL.`,
      { cause },
    );
  }
}

function keyOf(probe: string): string {
  return `probe/${probe}`;
}

function nameOf({ photoDir, photoS3 }: StorageSettings): string {
  return photoS3 === undefined ? photoDir : `the bucket ${photoS3.bucket}`;
}
