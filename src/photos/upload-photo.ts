import { createHash } from 'node:crypto';
import type { Deps } from '../core/context.ts';
import { violatedConstraint } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import { addJob } from '../jobs/add-job.ts';
import { takeFromWindow } from '../metering/rate-window.ts';
import { PHOTO_QUEUE } from './photo.ts';
import { uploadedFileOf } from './photo-storage.ts';
import { inspectUpload } from './pipeline/inspect-upload.ts';
import { PhotoRefused } from './pipeline/refusal.ts';

export interface Upload {
  memberId: string;
  placeId: string;
  bytes: Buffer;
}

export type UploadOutcome =
  | { outcome: 'taken'; photoId: string }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'known'; photoId: string };

declare module '../jobs/task.ts' {
  interface Payloads {
    process_photo: { photoId: string };
  }
}

const UPLOADS_PER_DAY = 200;
const DAY_MS = 86_400_000;
/** If this process dies between its row and its file, the job finds out after so long. */
const RESCUE_MS = 120_000;

/**
 * Takes one file of a photographer. What a look at its first bytes can tell is told at once; the rest is a job.
 * The row comes before the file, so that no file can lie in the storage that nothing knows of.
 */
export async function uploadPhoto(deps: Deps, upload: Upload): Promise<UploadOutcome> {
  const { pool, photoStorage } = deps;
  try {
    await inspectUpload(upload.bytes);
  } catch (thrown) {
    if (thrown instanceof PhotoRefused) return { outcome: 'refused', reason: thrown.message };
    throw thrown;
  }
  const now = deps.clock.now();
  await takeUpload(deps, upload.memberId, now);
  const photoId = deps.newId('pho');
  const sha256 = createHash('sha256').update(upload.bytes).digest();
  try {
    await pool.begin(async (tx) => {
      await tx`
        insert into photo (id, member_id, place_id, upload_sha256, created_at, updated_at)
        values (${photoId}, ${upload.memberId}, ${upload.placeId}, ${sha256}, ${now}, ${now})`;
      await addJob(tx, 'process_photo', { photoId }, { ...jobOf(photoId), delayMs: RESCUE_MS });
    });
  } catch (thrown) {
    if (violatedConstraint(thrown) !== 'photo_upload_once') throw thrown;
    return { outcome: 'known', photoId: await knownUpload(deps, upload.memberId, sha256) };
  }
  await photoStorage.put(uploadedFileOf(photoId), upload.bytes, 'application/octet-stream');
  await addJob(pool, 'process_photo', { photoId }, jobOf(photoId));
  return { outcome: 'taken', photoId };
}

/** Photos share one queue: each takes a second and a few hundred megabytes, and bookings need the other hands of a node. */
function jobOf(photoId: string) {
  return { key: `process_photo:${photoId}`, queue: PHOTO_QUEUE };
}

async function takeUpload({ pool }: Deps, memberId: string, now: Date): Promise<void> {
  const limit = { name: `photo_uploads:${memberId}`, max: UPLOADS_PER_DAY, windowMs: DAY_MS };
  const taken = await takeFromWindow(pool, limit, now);
  if (taken.allowed) return;
  throw new AppError('rate_limited', `You can send ${UPLOADS_PER_DAY} photos a day.`, {
    hint: 'Send the others tomorrow.',
    headers: { 'retry-after': String(taken.resetsInSeconds) },
  });
}

async function knownUpload({ pool }: Deps, memberId: string, sha256: Buffer): Promise<string> {
  const [photo] = await pool<{ id: string }[]>`
    select id from photo where member_id = ${memberId} and upload_sha256 = ${sha256}
    order by created_at desc limit 1`;
  return photo?.id ?? '';
}
