import { createHash } from 'node:crypto';
import type { Deps } from '../../core/context.ts';
import { ulid } from '../../core/ids.ts';
import { z } from 'zod';
import { addJob } from '../../jobs/add-job.ts';
import { defineTask, type Job } from '../../jobs/task.ts';
import { goLive } from '../../photos/drop.ts';
import { findPhoto, isDropRunning, movePhoto } from '../../photos/photo.ts';
import { storeCleanPhoto } from '../../photos/photo-storage.ts';
import { cleanPhoto } from '../../photos/pipeline/clean-photo.ts';
import { monthNow } from '../../photos/pipeline/month-taken.ts';
import { drawScene, type SceneKind } from './draw-scene.ts';
import data from './scenes.json' with { type: 'json' };
import { HOUR_MS } from '../../core/time.ts';

/** Owner of the demo photos. The address does not exist; its mail ends in the outbox of the demo installation. */
const PHOTOGRAPHER = { name: 'Mira Demonstration', email: 'photographer@waypost.example' };

/** Destination and scene of each photo. Bali has several, because newcomers try it first. */
const PHOTOS = data.photos as unknown as readonly (readonly [slug: string, kind: SceneKind])[];

const RECHECK_MS = 6 * HOUR_MS;
const JOB = { key: 'demo_photos', maxAttempts: 5 } as const;

declare module '../../jobs/task.ts' {
  interface Payloads {
    demo_photos: object;
  }
}

export function enqueueDemoPhotos(db: Deps['pool']): Promise<void> {
  return addJob(db, 'demo_photos', {}, JOB);
}

/** Draws missing photos and restarts drops that ended or sold out, so that newcomers always find some. */
export const publishDemoPhotos = defineTask({
  kind: 'photos',
  payload: z.object({}),
  async run(job) {
    const { deps, signal } = job;
    const places = await placesFor(deps);
    if (places.every((place) => place === undefined)) return;
    await addPhotographer(deps);
    for (const [index, place] of places.entries()) {
      signal.throwIfAborted();
      if (place !== undefined) await publishPhoto(job, index, place);
    }
    await addJob(deps.pool, 'demo_photos', {}, { ...JOB, delayMs: RECHECK_MS });
  },
});

/** Returns the same place for each photo every time: the best reviewed open place that suits the scene. */
async function placesFor({ pool }: Deps): Promise<({ id: string; name: string } | undefined)[]> {
  const places: ({ id: string; name: string } | undefined)[] = [];
  for (const [slug, kind] of PHOTOS) {
    const usedIds = places.flatMap((place) => place?.id ?? []);
    const [place] = await pool<{ id: string; name: string }[]>`
      select p.id, p.name from place p join destination d on d.id = p.destination_id
      where d.slug = ${slug} and p.source = 'demo' and p.closed_at is null and p.id <> all (${usedIds}::text[])
      order by p.vertical = ${data.verticals[kind]} desc, p.review_count desc, p.id limit 1`;
    places.push(place);
  }
  return places;
}

async function addPhotographer({ pool, clock }: Deps): Promise<void> {
  await pool`
    insert into member (id, email, display_name, created_at)
    values (${demoId('mem', 0)}, ${PHOTOGRAPHER.email}, ${PHOTOGRAPHER.name}, ${clock.now()})
    on conflict do nothing`;
}

async function publishPhoto(job: Job, index: number, place: { id: string; name: string }): Promise<void> {
  const { pool, clock } = job.deps;
  const photoId = demoId('pho', index);
  if ((await findPhoto(pool, photoId)) === undefined) await createPhoto(job, index, photoId, place);
  // Reloading the demo deletes its places and recreates them.
  await pool`
    update photo set place_id = ${place.id}, updated_at = ${clock.now()}
    where id = ${photoId} and place_id is distinct from ${place.id}`;
  const photo = await findPhoto(pool, photoId);
  const now = clock.now();
  if (photo === undefined) return;
  if (isDropRunning(photo, now) && photo.sold < photo.drop_cap) return;
  if (photo.state === 'live') await movePhoto(pool, photoId, { to: 'ended', by: 'clock', now });
  await job.inTransaction((tx) => goLive(tx, now, photo));
}

async function createPhoto(
  { deps, inTransaction }: Job,
  index: number,
  photoId: string,
  place: { id: string; name: string },
): Promise<void> {
  const { photoStorage, clock } = deps;
  const kind = PHOTOS[index]?.[1] ?? 'hills';
  const clean = await cleanPhoto(await drawScene(kind, index + 1));
  await storeCleanPhoto(photoStorage, photoId, clean);
  const now = clock.now();
  const month = monthNow(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (index % 12), 1)));
  // The files are stored before the row, so that a crash in between leaves no incomplete photo.
  await inTransaction(async (tx) => {
    await tx`
      insert into photo (id, member_id, place_id, caption, generated, month, width, height, sha256, bytes, phash,
        price_social, price_web, price_ad, price_ai_training, drop_cap, created_at, updated_at, state)
      values (${photoId}, ${demoId('mem', 0)}, ${place.id}, ${`A picture drawn for ${place.name}`}, true,
        ${month}, ${clean.width}, ${clean.height}, ${clean.sha256}, ${clean.full.length},
        ${clean.lookHash}, ${300 + 50 * (index % 5)}, ${600 + 100 * (index % 4)}, ${1_500 + 250 * (index % 4)},
        ${index % 3 === 0 ? 900 : null}, ${10 + 5 * (index % 3)}, ${now}, ${now}, 'to_check')`;
    await tx`
      insert into photo_check (photo_id, decision, generated, decided_at)
      values (${photoId}, 'approved', true, ${now})`;
    await movePhoto(tx, photoId, { to: 'approved', by: 'checker', now });
  });
}

const FIRST_MS = Date.UTC(2026, 0, 1);

/** Returns the same id in every installation, so that drawing again creates no duplicates. */
function demoId(prefix: 'mem' | 'pho', index: number): string {
  const entropy = createHash('sha256').update(`demonstration ${prefix} ${index}`).digest();
  return `${prefix}_${ulid(FIRST_MS + index, entropy.subarray(0, 10))}`;
}
