import { createHash } from 'node:crypto';
import type { Ctx, Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { Db } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';
import { addJob } from '../jobs/add-job.ts';
import { takeFromWindow } from '../metering/rate-window.ts';
import { uploadedFileOf } from './photo-storage.ts';
import { inspectUpload, UPLOAD_BYTES_MAX } from './pipeline/inspect-upload.ts';
import { PhotoRefused } from './pipeline/refusal.ts';

export interface Upload {
  memberId: string;
  placeId: string;
  file: { size: number; read: () => Promise<Buffer> };
}

export type UploadOutcome =
  | { outcome: 'taken'; photoId: string }
  | { outcome: 'refused'; reason: string }
  /** A file in processing is stored again: the process that received it first may have died. */
  | { outcome: 'known'; photoId: string; processing: boolean };

declare module '../jobs/task.ts' {
  interface Payloads {
    process_photo: { photoId: string };
  }
}

const UPLOADS_PER_DAY = 200;
/** If this process dies between inserting the row and storing the file, the job detects it after this time. */
const RESCUE_MS = 120_000;

/** Accepts one file. Its row is inserted before the file is stored, so that no stored file lacks a row. */
export async function uploadPhoto(
  tx: Db,
  { now, newId }: Pick<Ctx, 'now' | 'newId'>,
  { memberId, placeId, file }: Upload,
): Promise<UploadOutcome> {
  let bytes: Buffer;
  try {
    if (file.size > UPLOAD_BYTES_MAX) throw new PhotoRefused('too_large');
    bytes = await file.read();
    await inspectUpload(bytes);
  } catch (thrown) {
    if (thrown instanceof PhotoRefused) return { outcome: 'refused', reason: thrown.message };
    throw thrown;
  }
  await chargeUpload(tx, memberId, now);
  const photoId = newId('pho');
  const sha256 = createHash('sha256').update(bytes).digest();
  const [added] = await tx`
    insert into photo (id, member_id, place_id, upload_sha256, created_at, updated_at)
    values (${photoId}, ${memberId}, ${placeId}, ${sha256}, ${now}, ${now})
    on conflict (member_id, upload_sha256) where state not in ('refused','rejected','withdrawn') do nothing
    returning 1`;
  if (added === undefined) {
    const [photo] = await tx<{ photoId: string; processing: boolean }[]>`
      select id as "photoId", state = 'processing' as processing from photo
      where member_id = ${memberId} and upload_sha256 = ${sha256} order by created_at desc limit 1`;
    return { outcome: 'known', ...(photo ?? { photoId: '', processing: false }) };
  }
  await addJob(tx, 'process_photo', { photoId }, { ...jobOf(photoId), delayMs: RESCUE_MS });
  return { outcome: 'taken', photoId };
}

/** Stores the files of accepted photos. A failure does not keep the others from being stored. */
export async function storeUploads(
  deps: Pick<Deps, 'pool' | 'photoStorage'>,
  uploads: readonly { photoId: string; file: Upload['file'] }[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const { photoId, file } of uploads)
    await storeUpload(deps, photoId, file).catch((thrown: unknown) => failures.push(thrown));
  if (failures.length > 0) throw failures[0];
}

/** Stores a file and starts its job at once, even when storing fails, so that it can be sent again. */
async function storeUpload(
  { pool, photoStorage }: Pick<Deps, 'pool' | 'photoStorage'>,
  photoId: string,
  { read }: Upload['file'],
): Promise<void> {
  // Restarts the delay, because earlier files may have taken long.
  await addJob(pool, 'process_photo', { photoId }, { ...jobOf(photoId), delayMs: RESCUE_MS });
  try {
    await photoStorage.put(uploadedFileOf(photoId), await read(), 'application/octet-stream');
  } finally {
    await addJob(pool, 'process_photo', { photoId }, jobOf(photoId));
  }
}

function jobOf(photoId: string) {
  return { key: `process_photo:${photoId}` };
}

async function chargeUpload(tx: Db, memberId: string, now: Date): Promise<void> {
  const limit = { name: `photo_uploads:${memberId}`, max: UPLOADS_PER_DAY, windowMs: DAY_MS };
  const result = await takeFromWindow(tx, limit, now);
  if (result.allowed) return;
  throw new AppError('rate_limited', `You can send ${UPLOADS_PER_DAY} photos a day.`, {
    hint: 'Send the others tomorrow.',
    headers: { 'retry-after': String(result.resetsInSeconds) },
  });
}
