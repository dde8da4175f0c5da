import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import exifr from 'exifr';
import sharp from 'sharp';
import { openSession } from '../../src/accounts/sign-in/session.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { samplePng } from '../harness/sample-png.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { FormClient } from '../harness/people/staff.ts';
import { bomb, flat, HEIC_HEAD, phonePhoto, SVG_WITH_SCRIPT } from '../photos/made-pictures.ts';

const service = await sharedService();
const { deps } = service.app;
const placeId = await addMadeUpPlace(deps.pool, service.clock);
await deps.pool`
  insert into venue_claim (place_id, channel, contact, claimed_at)
  values (${placeId}, 'mail', 'host@venue.example', ${service.clock.now()})`;
const venue = new FormClient(service);
const cookie = await openSession({ deps, db: deps.pool, now: service.clock.now() }, 'venue', placeId);
const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
venue.cookies.set(name, value);

/** Sends a file as the form of the venue's area does. */
async function send(bytes: Buffer): Promise<Response> {
  const body = new FormData();
  body.append('csrf', await venue.token('/venue/photo'));
  body.append('photo', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  const cookie = [...venue.cookies].map(([key, held]) => `${key}=${held}`).join('; ');
  const headers = { accept: 'text/html', 'accept-language': 'en', cookie };
  return service.request('/venue/photo', { method: 'POST', redirect: 'manual', headers, body });
}

/** The picture that travellers see afterwards, as it is sent to them. */
async function shown(): Promise<Buffer> {
  const page = await (await venue.get('/venue/photo')).text();
  const path = /\/photos\/listing\/[0-9a-f]{64}\.\w+/.exec(page)?.[0] ?? '';
  const answer = await service.request(path);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/jpeg']);
  return Buffer.from(await answer.arrayBuffer());
}

async function assertNothingButPixels(bytes: Buffer): Promise<void> {
  assert.equal(bytes.lastIndexOf(Buffer.from([0xff, 0xd8])), 0, 'there is one picture in the file');
  assert.equal(bytes.indexOf(Buffer.from([0xff, 0xd9])), bytes.length - 2, 'nothing stands behind it');
  assert.doesNotMatch(bytes.toString('latin1'), /Exif|ICC_PROFILE|http:\/\/ns|somebody|Traveller/);
  assert.equal(await exifr.parse(bytes, true), undefined);
}

const phone = await phonePhoto(4);

/** Two pictures in one file, as phones save them: the note of the place stands in the one behind. */
async function twoPictures(): Promise<Buffer> {
  const behind = phone;
  assert.ok(Math.abs(((await exifr.gps(behind)) as { latitude: number }).latitude + 8.77) < 0.01);
  return Buffer.concat([await flat(900, 600).jpeg().toBuffer(), behind]);
}

const EXIF = {
  IFD0: { Artist: 'Jane Q. Traveller' },
  IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '8/1 46/1 12/1' },
};
const XMP = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><a xmlns="http://ns.example/">Traveller</a></x:xmpmeta>';
const PICTURES: readonly [string, () => Promise<Buffer>, number, number][] = [
  ['a second JPEG with its position behind the first', twoPictures, 900, 600],
  ['a JPEG that a phone turned', () => Promise.resolve(phone), 1600, 1067],
  ['a PNG with a text of its camera', () => Promise.resolve(samplePng(320, 200)), 320, 200],
  ['a PNG with Exif and XMP', () => flat(800, 500).withExif(EXIF).withXmp(XMP).png().toBuffer(), 800, 500],
  ['a WebP with Exif and XMP', () => flat(800, 500).withExif(EXIF).withXmp(XMP).webp().toBuffer(), 800, 500],
  ['a picture larger than any page shows', () => flat(2500, 1500).png().toBuffer(), 2400, 1440],
];

for (const [what, make, width, height] of PICTURES) {
  test(`of a venue's picture only the pixels are kept, upright: ${what}`, async () => {
    assert.equal((await send(await make())).status, 303);
    const bytes = await shown();
    await assertNothingButPixels(bytes);
    const seen = await sharp(bytes).metadata();
    assert.deepEqual([seen.format, seen.width, seen.height], ['jpeg', width, height]);
  });
}

test('a file that cannot be shown is refused with instructions, and the earlier picture stays', async () => {
  await send(await flat(640, 480).jpeg().toBuffer());
  const before = await shown();
  const whole = await flat(640, 480).png({ compressionLevel: 0 }).toBuffer();
  const refused: readonly [Buffer, RegExp][] = [
    [SVG_WITH_SCRIPT, /cannot read this as a photo/],
    [HEIC_HEAD, /Share it as a JPEG/],
    [bomb(50_000, 50_000), /too many pixels/],
    [whole.subarray(0, whole.length / 2), /is incomplete or damaged/],
    [Buffer.from('GIF89a, says somebody'), /is incomplete or damaged/],
    [Buffer.from('nothing like a picture'), /cannot read this as a photo/],
  ];
  for (const [bytes, words] of refused) {
    const answer = await send(bytes);
    assert.equal(answer.status, 422, String(words));
    assert.match(await answer.text(), words);
  }
  assert.ok((await shown()).equals(before));
});

test('a picture that was stored with its notes before loses them when it is next asked for', async () => {
  const folder = join(deps.config.dataDir, 'photos/listing');
  mkdirSync(folder, { recursive: true });
  const file = `${'a'.repeat(64)}.jpg`;
  writeFileSync(join(folder, file), await twoPictures());
  const answer = await service.request(`/photos/listing/${file}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  await assertNothingButPixels(bytes);
  assert.ok(readFileSync(join(folder, file)).equals(bytes), 'also where it is stored');
});
