import type { Deps } from '../core/context.ts';
import { earlierPreviewFileOf, licensedFileOf, previewFileOf, uploadedFileOf } from './photo-storage.ts';
import { DAY_MS } from '../core/time.ts';

const AT_ONCE = 50;
/** Time for which a photographer can still see a rejected photo. */
const REJECTED_KEPT_MS = 30 * DAY_MS;

/** Deletes the files of withdrawn and rejected photos. Photos that were ever live are kept for their licensees. */
export async function deleteUnusedFiles({ pool, photoStorage, clock }: Deps): Promise<void> {
  const before = new Date(clock.now().getTime() - REJECTED_KEPT_MS);
  const photos = await pool<{ id: string }[]>`
    select id from photo
    where has_files and drop_number = 0
      and (state in ('refused', 'withdrawn') or (state = 'rejected' and updated_at < ${before}))
    order by updated_at limit ${AT_ONCE}`;
  for (const { id } of photos) {
    for (const key of [
      uploadedFileOf(id),
      licensedFileOf(id),
      ...([480, 1080] as const).flatMap((width) => [
        previewFileOf(id, width),
        earlierPreviewFileOf(id, width),
      ]),
    ])
      await photoStorage.delete(key);
    await pool`update photo set has_files = false where id = ${id}`;
  }
}
