import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Photo } from '../../src/photos/photo.ts';
import { enqueueDemoPhotos } from '../../src/demo/photos/demo-photos.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { LONG, tries } from '../harness/tier.ts';

const service = await startTestService({ demoPlaces: LONG ? 3_000 : 300 });
const { pool } = service.database;
/** Drawing one takes half a second. In the quick tier there are places for the first four only. */
const PICTURES = tries({ quick: 4, long: 14 });
if (!LONG)
  await pool`
    delete from place p using destination d where d.id = p.destination_id and d.slug not in ('bali', 'bangkok')`;

async function livePhotos(): Promise<Photo[]> {
  return pool<Photo[]>`
    select * from photo where state = 'live' and ends_at > ${service.clock.now()} order by id`;
}

/** Waits picture by picture, because drawing all of them may take long on a busy machine. */
async function settled(): Promise<Photo[]> {
  for (let n = 1; n <= PICTURES; n++)
    await until(`picture ${n}`, async () => (await livePhotos()).length >= n);
  return until('the pictures hang', async () => {
    const [job] = await pool`
      select 1 from graphile_worker.jobs where key = 'demo_photos' and run_at > now() and locked_at is null`;
    const photos = await livePhotos();
    return job !== undefined && photos.length > 0 ? photos : undefined;
  });
}

test('the demonstration has pictures on live drops, drawn by a program, and a member who owns them', async () => {
  await enqueueDemoPhotos(pool);
  const photos = await settled();
  assert.equal(photos.length, PICTURES);
  const [owner] = await pool<{ id: string; display_name: string }[]>`
    select id, display_name from member where id = ${photos[0]?.member_id ?? ''}`;
  assert.equal(owner?.display_name, 'Mira Demonstration');
  for (const photo of photos) {
    assert.ok(photo.price_social !== null && photo.price_web !== null && photo.price_ad !== null);
    const shown = await service.request(`/photos/${photo.id}/w480`);
    assert.equal(shown.status, 200);
  }
  const [inBali] = await pool<{ photos: number }[]>`
    select count(*)::int as photos from photo f join place p on p.id = f.place_id
    join destination d on d.id = p.destination_id where d.slug = 'bali'`;
  assert.equal(inBali?.photos, 3);
});

test('asked again, nothing is drawn twice; what ended or sold out is offered anew', async () => {
  const before = await livePhotos();
  await pool`update photo set sold = drop_cap where id = ${before[0]?.id ?? ''}`;
  await passTime(service, 7 * HOUR_MS);
  await until('the sold-out one is offered anew', async () => {
    const [photo] = await pool<Photo[]>`select * from photo where id = ${before[0]?.id ?? ''}`;
    return photo?.sold === 0 && photo.drop_number === 2 ? true : undefined;
  });
  await settled();
  await passTime(service, 80 * HOUR_MS);
  await until('all are live again', async () => (await livePhotos()).length === PICTURES);
  const [row] = await pool<{ photos: number }[]>`select count(*)::int as photos from photo`;
  assert.equal(row?.photos, PICTURES);
});
