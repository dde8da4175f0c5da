import { z } from 'zod';
import type { Deps } from '../core/context.ts';
import { defineTask } from '../jobs/task.ts';
import { findPhoto, movePhoto } from './photo.ts';
import { licensedFileOf, previewFileOf, readStored, uploadedFileOf } from './photo-storage.ts';
import { cleanPhoto } from './pipeline/clean-photo.ts';
import { inspectUpload } from './pipeline/inspect-upload.ts';
import { monthNow, monthTaken } from './pipeline/month-taken.ts';
import { PhotoRefused, type RefusalCode } from './pipeline/refusal.ts';

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
        await refuse(deps, photoId, thrown.code);
      }
    }
    // The upload may contain its owner's location. It is deleted in every case, and last, so that a crash before this
    // is retried.
    await deps.photoStorage.delete(uploadedFileOf(photoId));
  },
});

async function storeClean(deps: Deps, photoId: string, upload: Buffer): Promise<void> {
  const { pool, photoStorage, clock } = deps;
  const { exif } = await inspectUpload(upload);
  const clean = await cleanPhoto(upload);
  await photoStorage.put(licensedFileOf(photoId), clean.full, 'image/jpeg');
  await photoStorage.put(previewFileOf(photoId, 480), clean.previews[480], 'image/jpeg');
  await photoStorage.put(previewFileOf(photoId, 1080), clean.previews[1080], 'image/jpeg');
  const now = clock.now();
  const { width, height, sha256, lookHash: phash } = clean;
  await movePhoto(pool, photoId, {
    to: 'to_check',
    by: 'pipeline',
    now,
    set: {
      month: monthTaken(exif, now) ?? monthNow(now),
      width,
      height,
      sha256,
      bytes: clean.full.length,
      phash,
    },
  });
}

async function refuse({ pool, clock }: Deps, photoId: string, code: RefusalCode): Promise<void> {
  const set = { refusal: code, has_files: false };
  await movePhoto(pool, photoId, { to: 'refused', by: 'pipeline', now: clock.now(), set });
}
