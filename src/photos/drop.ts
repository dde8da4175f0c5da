import { z } from 'zod';
import type { Db } from '../core/postgres/db.ts';
import { addJob } from '../jobs/add-job.ts';
import { defineTask } from '../jobs/task.ts';
import { USES } from '../licensing/use.ts';
import { DROP_MS, findPhoto, isDropRunning, movePhoto, type Photo } from './photo.ts';

type GoLiveOutcome = 'live' | 'running' | 'not_approved' | 'no_price' | 'no_place';

/** Starts a drop of three days with a limited number of licences. Only the photographer can start one. */
export async function goLive(tx: Db, now: Date, photoRef: Pick<Photo, 'id'>): Promise<GoLiveOutcome> {
  await tx`select from photo where id = ${photoRef.id} for update`;
  const current = await findPhoto(tx, photoRef.id);
  if (current === undefined) return 'not_approved';
  if (isDropRunning(current, now)) return 'running';
  if (current.place_id === null) return 'no_place';
  if (USES.every((use) => current[`price_${use}`] === null)) return 'no_price';
  if (current.state === 'live') await movePhoto(tx, photoRef.id, { to: 'ended', by: 'clock', now });
  const dropNumber = current.drop_number + 1;
  const set = { live_at: now, ends_at: new Date(now.getTime() + DROP_MS), drop_number: dropNumber, sold: 0 };
  if (!(await movePhoto(tx, photoRef.id, { to: 'live', by: 'photographer', now, set })))
    return 'not_approved';
  await tx`update photo set version = version + 1 where id = ${photoRef.id}`;
  await addJob(tx, 'end_drop', { photoId: photoRef.id, dropNumber }, { delayMs: DROP_MS });
  return 'live';
}

declare module '../jobs/task.ts' {
  interface Payloads {
    end_drop: { photoId: string; dropNumber: number };
  }
}

/** Ends a drop when its time is over. Jobs run by the database's clock, which may be slightly ahead. */
export const endDrop = defineTask({
  kind: 'upkeep',
  payload: z.object({ photoId: z.string(), dropNumber: z.int() }),
  async run({ deps }, { photoId, dropNumber }) {
    const photo = await findPhoto(deps.pool, photoId);
    const now = deps.clock.now();
    if (photo?.state !== 'live' || photo.drop_number !== dropNumber || photo.ends_at === null) return;
    const leftMs = photo.ends_at.getTime() - now.getTime();
    if (leftMs > 0) {
      await addJob(deps.pool, 'end_drop', { photoId, dropNumber }, { delayMs: leftMs });
      return;
    }
    await movePhoto(deps.pool, photoId, { to: 'ended', by: 'clock', now });
  },
});
