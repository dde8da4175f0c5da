import { z } from 'zod';
import type { Deps } from '../core/context.ts';
import { defineTask } from '../jobs/task.ts';
import { findPhoto, movePhoto } from './photo.ts';
import { readStored, storeCleanPhoto, uploadedFileOf } from './photo-storage.ts';
import { cleanPhoto } from './pipeline/clean-photo.ts';
import { inspectUpload } from './pipeline/inspect-upload.ts';
import { monthNow, monthTaken } from './pipeline/month-taken.ts';
import { PhotoRefused } from './pipeline/refusal.ts';

/** Makes the clean file and the previews of an upload. Idempotent: files are stored under fixed keys. */
export const processPhoto = defineTask({
  kind: 'photos',
  payload: z.object({ photoId: z.string() }),
  async run({ deps }, { photoId }) {
    const photo = await findPhoto(deps.pool, photoId);
    if (photo?.state === 'processing') {
      const upload = await readStored(deps.photoStorage, uploadedFileOf(photoId));
      try {
        if (upload === undefined) throw new PhotoRefused('lost');
        await storeClean(deps, photoId, upload);
      } catch (thrown) {
        if (!(thrown instanceof PhotoRefused)) throw thrown;
        const set = { refusal: thrown.code, has_files: false };
        await movePhoto(deps.pool, photoId, { to: 'refused', by: 'pipeline', now: deps.clock.now(), set });
      }
    }
    // The upload may contain its owner's location. It is deleted last, so that a crash before this is retried.
    await deps.photoStorage.delete(uploadedFileOf(photoId));
  },
});

async function storeClean(deps: Deps, photoId: string, upload: Buffer): Promise<void> {
  const { pool, photoStorage, clock } = deps;
  const { exif } = await inspectUpload(upload);
  const clean = await cleanPhoto(upload);
  await storeCleanPhoto(photoStorage, photoId, clean);
  const now = clock.now();
  const { full, width, height, sha256, lookHash: phash } = clean;
  const month = monthTaken(exif, now) ?? monthNow(now);
  const set = { month, width, height, sha256, bytes: full.length, phash };
  await movePhoto(pool, photoId, { to: 'to_check', by: 'pipeline', now, set });
}
