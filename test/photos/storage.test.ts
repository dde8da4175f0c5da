import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  licensedFileOf,
  previewFileOf,
  readStored,
  type PhotoStorage,
} from '../../src/photos/photo-storage.ts';
import { DiskStorage } from '../../src/photos/storage/disk-storage.ts';
import { S3Storage } from '../../src/photos/storage/s3-storage.ts';
import { startTestService } from '../harness/service/service.ts';
import { smallPhoto } from './made-pictures.ts';
import { addPhotographer, sendApproved } from './photographer.ts';
import { startS3Server } from './s3-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-storage-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const settings = await startS3Server();
const STORES: readonly [string, PhotoStorage][] = [
  ['the disk', new DiskStorage(folder)],
  ['an S3 store', new S3Storage(settings)],
];
const BYTES = randomBytes(300_000);
const KEY = 'full/pho_01kdtqb00071qz6sbs7e2vkqza.jpg';

async function readAll(storage: PhotoStorage, range?: { start: number; end: number }): Promise<Buffer> {
  const file = await storage.get(KEY, range);
  assert.ok(file);
  assert.equal(file.size, BYTES.length, 'the size is that of the whole file');
  return Buffer.concat(await file.body.toArray());
}

for (const [name, storage] of STORES) {
  test(`${name} gives back what was put, whole and in part`, async () => {
    await storage.put(KEY, BYTES, 'image/jpeg');
    // Compared as a whole: to describe how two large buffers differ takes minutes.
    assert.ok((await readAll(storage)).equals(BYTES));
    for (const [start, end] of [
      [0, 9],
      [1_000, 4_999],
      [299_990, 299_999],
    ] as const) {
      const part = await readAll(storage, { start, end });
      assert.ok(part.equals(BYTES.subarray(start, end + 1)), `${start} to ${end}`);
    }
  });

  test(`${name} replaces what is put again, and forgets what is deleted, twice as well as once`, async () => {
    await storage.put(KEY, BYTES, 'image/jpeg');
    await storage.put(KEY, Buffer.from('new'), 'image/jpeg');
    assert.equal((await readStored(storage, KEY))?.toString(), 'new');
    await storage.delete(KEY);
    await storage.delete(KEY);
    assert.equal(await storage.get(KEY), undefined);
  });
}

test('the disk keeps to its folder and leaves no half files', async () => {
  const storage = new DiskStorage(folder);
  for (const key of ['../outside.jpg', '/etc/passwd', 'full/../../x', ''])
    await assert.rejects(storage.put(key, BYTES), /not a key/, key);
  await storage.put(KEY, BYTES);
  const names = readdirSync(folder, { recursive: true }) as string[];
  assert.deepEqual(
    names.filter((name) => name.includes('.part')),
    [],
  );
});

test('a store that refuses the key is an error, not an empty answer', async () => {
  const wrong = new S3Storage({ ...settings, accessKey: 'nobody' });
  await assert.rejects(wrong.put(KEY, BYTES, 'image/jpeg'), /answered PUT with 403/);
  await assert.rejects(wrong.get(KEY), /answered GET with 403/);
});

test('by setting, a whole service keeps its photos in the bucket and serves previews from there', async () => {
  const service = await startTestService({
    settings: {
      PHOTO_S3_URL: settings.url,
      PHOTO_S3_BUCKET: settings.bucket,
      PHOTO_S3_KEY: settings.accessKey,
      PHOTO_S3_SECRET: settings.secretKey,
    },
  });
  const photo = await sendApproved(service, await addPhotographer(service), await smallPhoto(2));
  const bucket = new S3Storage(settings);
  assert.equal((await readStored(bucket, licensedFileOf(photo.id)))?.length, photo.bytes);
  const held = await readStored(bucket, previewFileOf(photo.id, 480));
  const shown = await service.request(`/photos/${photo.id}/w480`);
  assert.equal(shown.status, 200);
  assert.ok(held?.equals(Buffer.from(await shown.arrayBuffer())));
});

test('a slow reader of a file in an S3 store gets all of it', async (t) => {
  const storage = new S3Storage(settings);
  const large = randomBytes(8 * 2 ** 20);
  await storage.put(KEY, large, 'image/jpeg');
  const limit = new AbortController();
  t.mock.method(AbortSignal, 'timeout', () => limit.signal);
  const file = await storage.get(KEY);
  limit.abort();
  assert.ok(file !== undefined && Buffer.concat(await file.body.toArray()).equals(large));
});
