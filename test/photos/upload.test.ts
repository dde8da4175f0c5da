import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import exifr from 'exifr';
import sharp from 'sharp';
import { addJob } from '../../src/jobs/add-job.ts';
import {
  earlierPreviewFileOf,
  licensedFileOf,
  previewFileOf,
  readStored,
  uploadedFileOf,
} from '../../src/photos/photo-storage.ts';
import { until } from '../harness/service/jobs.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { tries } from '../harness/tier.ts';
import {
  bomb,
  flat,
  HEIC_HEAD,
  phonePhoto,
  plainPhoto,
  smallPhoto,
  SVG_WITH_SCRIPT,
} from './made-pictures.ts';
import { addPhotographer, sendApproved, sendFiles, sendPhoto, stateOf } from './photographer.ts';

const service = await sharedService();
const photographer = await addPhotographer(service);
const storage = service.app.deps.photoStorage;

async function stored(key: string): Promise<Buffer> {
  const bytes = await readStored(storage, key);
  assert.ok(bytes, key);
  return bytes;
}

test('a photo from a phone is stored upright and bare: no place, no time, no name, no profile, only the month', async () => {
  const upload = await phonePhoto();
  assert.ok(
    ((await exifr.parse(upload, true)) as { latitude?: number }).latitude,
    'the upload has coordinates',
  );
  const photo = await sendPhoto(service, photographer, upload);
  assert.equal(photo.state, 'to_check');
  assert.equal(photo.month, '2026-09');
  assert.deepEqual([photo.width, photo.height], [1600, 1067]);
  for (const key of [licensedFileOf(photo.id), previewFileOf(photo.id, 480), previewFileOf(photo.id, 1080)]) {
    const file = await stored(key);
    assert.equal(await exifr.parse(file, true), undefined, key);
    const { exif, icc, iptc, xmp, orientation, format } = await sharp(file).metadata();
    assert.deepEqual(
      [exif, icc, iptc, xmp, orientation, format],
      [undefined, undefined, undefined, undefined, undefined, 'jpeg'],
    );
    assert.doesNotMatch(file.toString('latin1'), /Somephone|Traveller|2026:09/);
  }
  await until('the upload is deleted', async () =>
    (await storage.get(uploadedFileOf(photo.id))) === undefined ? true : undefined,
  );
  const row = JSON.stringify(await service.database.pool`select * from photo where id = ${photo.id}`);
  assert.doesNotMatch(row, /2026-09-14|18:31|Traveller|115\.1/);
});

const FORMATS = ['png', 'jpeg', 'webp', 'tiff', 'avif', 'gif'] as const;

test('every common format becomes a JPEG; without a note of the camera the month is that of the upload', async () => {
  for (const format of FORMATS.slice(0, tries({ quick: 2, long: FORMATS.length }))) {
    const photo = await sendPhoto(service, photographer, await plainPhoto(format));
    assert.equal(photo.state, 'to_check', format);
    assert.equal(photo.month, '2026-11', format);
    assert.equal((await sharp(await stored(licensedFileOf(photo.id))).metadata()).format, 'jpeg', format);
  }
});

test('previews are as wide as they say and carry one small mark at the lower right', async () => {
  const photo = await sendPhoto(service, photographer, await flat(1200, 900).jpeg().toBuffer());
  const preview = sharp(await stored(previewFileOf(photo.id, 480)));
  const { width, height } = await preview.metadata();
  assert.deepEqual([width, height], [480, 360]);
  const deviationIn = async (left: number, top: number, across: number, down: number) => {
    const part = await preview.clone().extract({ left, top, width: across, height: down }).toBuffer();
    return Math.max(...(await sharp(part).stats()).channels.map(({ stdev }) => stdev));
  };
  assert.ok((await deviationIn(400, 330, 80, 30)) > 5, 'the corner is flat no longer');
  assert.ok((await deviationIn(0, 0, 480, 320)) < 1, 'the picture is as it was');
  assert.ok((await deviationIn(0, 320, 380, 40)) < 1);
});

test('a preview that the store does not have is drawn again, by several visitors at once too', async () => {
  const photo = await sendApproved(service, photographer, await flat(1200, 900).jpeg().toBuffer());
  const before = await stored(previewFileOf(photo.id, 1080));
  await storage.delete(previewFileOf(photo.id, 1080));
  // Earlier releases marked the whole picture: their file is not sent.
  await storage.put(earlierPreviewFileOf(photo.id, 1080), Buffer.from('marked all over'), 'image/jpeg');
  const visit = async () => {
    const response = await service.request(`/photos/${photo.id}/w1080`);
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer());
  };
  for (const shown of await Promise.all([visit(), visit(), visit()])) assert.ok(shown.equals(before));
  assert.ok((await stored(previewFileOf(photo.id, 1080))).equals(before));
  await storage.delete(previewFileOf(photo.id, 480));
  await storage.delete(licensedFileOf(photo.id));
  assert.equal((await service.request(`/photos/${photo.id}/w480`)).status, 404, 'nothing to draw it from');
});

const REFUSED: readonly [what: string, name: string, bytes: () => Promise<Buffer> | Buffer, said: RegExp][] =
  [
    ['an SVG with a script', 'x.jpg', () => SVG_WITH_SCRIPT, /drawing or a document/],
    ['a PDF', 'x.jpg', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'), /drawing or a document/],
    [
      'a page of HTML named as a photo',
      'x.png',
      () => Buffer.from('<!doctype html><script>alert(1)</script>'),
      /cannot read this as a photo/,
    ],
    [
      'a program',
      'x.jpg',
      () => Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(4096, 1)]),
      /cannot read this as a photo/,
    ],
    ['an empty file', 'x.jpg', () => Buffer.alloc(0), /empty/],
    ['an HEIC file, with what to do about it', 'x.heic', () => HEIC_HEAD, /HEIC.*Most Compatible/],
    ['a decompression bomb of 50,000 by 50,000', 'x.png', () => bomb(50_000, 50_000), /too many pixels/],
    ['a picture of 20,000 by 20,000', 'x.png', () => bomb(20_000, 20_000), /too many pixels/],
    ['a side of 20,001 pixels', 'x.png', () => bomb(20_001, 600), /too many pixels/],
    ['a thumbnail', 'x.jpg', () => flat(640, 480).jpeg().toBuffer(), /too small/],
    [
      'more than 25 MB',
      'x.jpg',
      async () => Buffer.concat([await plainPhoto('jpeg'), Buffer.alloc(25 * 2 ** 20)]),
      /larger than 25 MB/,
    ],
    [
      'a GIF that is a JPEG behind its first bytes',
      'x.gif',
      async () => Buffer.concat([Buffer.from('GIF89a'), await plainPhoto('jpeg')]),
      /damaged|cannot read|too many pixels|too small/,
    ],
  ];
for (const [what, name, bytes, said] of REFUSED)
  test(`refused at once, in words that help, and nothing is stored: ${what}`, async () => {
    const [before] = await service.database.pool`select count(*)::int as photos from photo`;
    const response = await sendFiles(service, photographer, [{ name, bytes: await bytes() }]);
    assert.equal(response.status, 422);
    const { files } = (await response.json()) as { files: { name: string; refused: string }[] };
    assert.match(files[0]?.refused ?? '', said);
    const [after] = await service.database.pool`select count(*)::int as photos from photo`;
    assert.deepEqual(after, before);
  });

test('a picture that is cut off is refused by the pipeline, and its owner is told', async () => {
  const whole = await smallPhoto(5);
  const photo = await sendPhoto(service, photographer, whole.subarray(0, Math.floor(whole.length * 0.6)));
  assert.equal(photo.state, 'refused');
  assert.equal(photo.refusal, 'damaged');
  const page = await (await photographer.member.get(`/photos/mine/${photo.id}`)).text();
  assert.match(page, /is incomplete or damaged/);
});

test('a PNG whose pixels are not there is refused, not waited for', async () => {
  const photo = await sendPhoto(service, photographer, bomb(9_000, 9_000));
  assert.equal(photo.state, 'refused');
});

test('a polyglot comes out clean: what was hidden behind and inside the picture is gone', async () => {
  const photo = await plainPhoto('jpeg');
  const comment = Buffer.from('\xff\xfe\x00\x24<script>alert("inside")</script>12', 'latin1');
  const hidden = Buffer.concat([
    photo.subarray(0, 2),
    comment,
    photo.subarray(2),
    Buffer.from('PK\x03\x04<?php system($_GET["c"]); ?><script>alert("behind")</script>', 'latin1'),
  ]);
  const taken = await sendPhoto(service, photographer, hidden);
  assert.equal(taken.state, 'to_check');
  const clean = (await stored(licensedFileOf(taken.id))).toString('latin1');
  assert.doesNotMatch(clean, /script|php|PK..</);
});

test('of two pictures in one file the first is kept, and nothing of what the other says', async () => {
  const behind = await phonePhoto(21);
  const photo = await sendPhoto(service, photographer, Buffer.concat([await plainPhoto('jpeg'), behind]));
  assert.equal(photo.state, 'to_check');
  for (const key of [licensedFileOf(photo.id), previewFileOf(photo.id, 480), previewFileOf(photo.id, 1080)]) {
    const file = await stored(key);
    assert.equal(file.lastIndexOf(Buffer.from([0xff, 0xd8])), 0, 'there is one picture in the file');
    assert.doesNotMatch(file.toString('latin1'), /Exif|Somephone|Traveller/);
  }
});

test('a panorama of 20,000 pixels is taken as long as it is not more than 100 megapixels', async () => {
  const photo = await sendPhoto(service, photographer, await flat(20_000, 500).png().toBuffer());
  assert.deepEqual([photo.state, photo.width], ['to_check', 20_000]);
});

test('the same file sent twice is one photo', async () => {
  const bytes = await smallPhoto(9);
  const first = await sendPhoto(service, photographer, bytes);
  const again = await sendFiles(service, photographer, [{ name: 'again.jpg', bytes }]);
  const { files } = (await again.json()) as { files: { photo_id: string; known: boolean }[] };
  assert.deepEqual(files, [{ name: 'again.jpg', photo_id: first.id, known: true }]);
});

test('several files in one form: what is good arrives, what is not is named', async () => {
  const files = [
    { name: 'good.jpg', bytes: await smallPhoto(11) },
    { name: 'bad.svg', bytes: SVG_WITH_SCRIPT },
  ];
  const page = await sendFiles(service, photographer, files, { accept: 'text/html' });
  assert.equal(page.status, 422);
  const text = await page.text();
  assert.match(text, /1 photo arrived/);
  assert.match(text, /bad\.svg/);
});

test('nobody uploads without a session or without the token of the form', async () => {
  const bytes = await plainPhoto('jpeg');
  const forged = await sendFiles(service, photographer, [{ name: 'x.jpg', bytes }], { csrf: 'x.y' });
  assert.equal(forged.status, 403);
  const anonymous = await service.request('/photos/mine/upload', { method: 'POST', body: new FormData() });
  assert.equal(anonymous.status, 401);
});

test('an upload whose process died before the file lay there is refused after a while, and nothing hangs', async () => {
  const { pool } = service.database;
  const { newId } = service.app.deps;
  const id = newId('pho');
  await pool`
    insert into photo (id, member_id, place_id, created_at, updated_at)
    values (${id}, ${photographer.member.memberId}, ${photographer.placeId}, now(), now())`;
  await addJob(pool, 'process_photo', { photoId: id });
  const state = await until('the rescue', async () => {
    const [row] = await pool<{ state: string; refusal: string }[]>`
      select state, refusal from photo where id = ${id} and state <> 'processing'`;
    return row;
  });
  assert.deepEqual({ ...state }, { state: 'refused', refusal: 'lost' });
});

test('an upload that is repeated after its process died is stored, not only known', async () => {
  const { pool } = service.database;
  const bytes = await smallPhoto(43);
  const id = service.app.deps.newId('pho');
  await pool`
    insert into photo (id, member_id, place_id, upload_sha256, created_at, updated_at)
    values (${id}, ${photographer.member.memberId}, ${photographer.placeId},
      ${createHash('sha256').update(bytes).digest()}, now(), now())`;
  const photo = await sendPhoto(service, photographer, bytes);
  assert.deepEqual([photo.id, photo.state], [id, 'to_check']);
});

test('a job that runs again after its process died finishes what is missing and changes nothing else', async () => {
  const photo = await sendPhoto(service, photographer, await smallPhoto(41));
  const before = await stored(licensedFileOf(photo.id));
  await storage.put(uploadedFileOf(photo.id), await smallPhoto(42), 'application/octet-stream');
  await addJob(service.database.pool, 'process_photo', { photoId: photo.id });
  await until('what was left over is deleted', async () => {
    const left = await readStored(storage, uploadedFileOf(photo.id));
    return left === undefined;
  });
  assert.ok(before.equals(await stored(licensedFileOf(photo.id))));
  assert.equal(await stateOf(service, photo.id), 'to_check');
});

test('no part files and no uploads are left on the disk', async () => {
  const folder = join(service.app.deps.config.dataDir, 'photos');
  await until('the uploads are gone', () =>
    readdirSync(join(folder, 'upload')).length === 0 ? true : undefined,
  );
  const names = readdirSync(folder, { recursive: true }) as string[];
  assert.deepEqual(
    names.filter((name) => name.endsWith('.part')),
    [],
  );
  assert.ok(readFileSync(join(folder, names.find((name) => name.endsWith('.jpg')) ?? '')).length > 0);
});
