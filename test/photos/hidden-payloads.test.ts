import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { openSession } from '../../src/accounts/sign-in/session.ts';
import { licensedFileOf, previewFileOf, readStored } from '../../src/photos/photo-storage.ts';
import { isBareJpeg } from '../../src/photos/pipeline/bare-jpeg.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { LONG } from '../harness/tier.ts';
import { FormClient } from '../harness/people/staff.ts';
import { bomb, flat, SVG_WITH_SCRIPT } from './made-pictures.ts';
import { addPhotographer, sendFiles, sendPhoto } from './photographer.ts';

const service = await sharedService();
const { deps } = service.app;
const photographer = await addPhotographer(service);
const { placeId } = photographer;
await deps.pool`
  insert into venue_claim (place_id, channel, contact, claimed_at)
  values (${placeId}, 'mail', 'host@venue.example', ${service.clock.now()})`;
const venue = new FormClient(service);
const session = await openSession({ deps, db: deps.pool, now: service.clock.now() }, 'venue', placeId);
const [, cookieName = '', cookieValue = ''] = /^([^=]+)=([^;]+)/.exec(session) ?? [];
venue.cookies.set(cookieName, cookieValue);

/** As small as a photo may be. */
const HEIGHT = 500;
const PAYLOAD = '<script>alert("hidden")</script><?php system($_GET["c"]); ?>PK\x03\x04hidden.exe';
const MARKS = /script|php|hidden|Traveller|\.exe/;
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a xmlns="urn:a">${PAYLOAD.replaceAll('<', '&lt;')}</a></x:xmpmeta>`;

async function sendToVenue(bytes: Buffer): Promise<Response> {
  const body = new FormData();
  body.append('csrf', await venue.token('/venue/photo'));
  body.append('photo', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  const cookie = [...venue.cookies].map(([key, held]) => `${key}=${held}`).join('; ');
  const headers = { accept: 'text/html', cookie };
  return service.request('/venue/photo', { method: 'POST', redirect: 'manual', headers, body });
}

async function shownByVenue(): Promise<Buffer> {
  const page = await (await venue.get('/venue/photo')).text();
  const path = /\/photos\/listing\/[0-9a-f]{64}\.\w+/.exec(page)?.[0] ?? '';
  return Buffer.from(await (await service.request(path)).arrayBuffer());
}

/** A part of a JPEG that programs write for themselves, with any content. */
function segment(marker: number, content: string): Buffer {
  const body = Buffer.from(content, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

async function jpegWith(marker: number, content: string): Promise<Buffer> {
  const plain = await wide().jpeg().toBuffer();
  return Buffer.concat([plain.subarray(0, 2), segment(marker, content), plain.subarray(2)]);
}

const trailing = (made: Promise<Buffer>) =>
  made.then((bytes) => Buffer.concat([bytes, Buffer.from(PAYLOAD)]));
const wide = () => flat(1_000, HEIGHT);
const frames = () =>
  sharp({
    create: { width: 1_000, height: 3 * HEIGHT, channels: 3, background: '#7a9', pageHeight: HEIGHT },
  });

const CARRIERS: Readonly<Record<string, () => Promise<Buffer>>> = {
  'a JPEG with a program behind it': () => trailing(wide().jpeg().toBuffer()),
  'a PNG with a page behind it': () => trailing(wide().png().toBuffer()),
  'a WebP with a page behind it': () => trailing(wide().webp().toBuffer()),
  'a GIF with a page behind it': () => trailing(wide().gif().toBuffer()),
  'a TIFF with a page behind it': () => trailing(wide().tiff().toBuffer()),
  'an AVIF with a page behind it': () => trailing(wide().avif({ effort: 0 }).toBuffer()),
  'a JPEG with a comment': () => jpegWith(0xfe, PAYLOAD),
  'a JPEG with a head that holds more than a head': () => jpegWith(0xe0, `JFXX\0${PAYLOAD}`),
  'a JPEG with notes of a camera': () =>
    wide()
      .withExif({ IFD0: { Artist: 'Traveller', ImageDescription: PAYLOAD } })
      .jpeg()
      .toBuffer(),
  'a JPEG with XMP': () => wide().withXmp(XMP).jpeg().toBuffer(),
  'a PNG with XMP': () => wide().withXmp(XMP).png().toBuffer(),
  'a JPEG with a colour profile that is none': () => jpegWith(0xe2, `ICC_PROFILE\0\x01\x01${PAYLOAD}`),
  'a WebP that moves': () => frames().webp({ loop: 0 }).toBuffer(),
  'a GIF that moves, with a page behind it': () => trailing(frames().gif().toBuffer()),
};

/** In the quick tier one of each kind of carrier. */
const tried = Object.entries(CARRIERS).filter((_, at) => LONG || at % 3 === 0);

for (const [what, make] of tried)
  test(`of what people upload only still pixels are kept, in both places: ${what}`, async () => {
    const upload = await make();
    assert.equal((await sendToVenue(upload)).status, 303);
    const photo = await sendPhoto(service, photographer, upload);
    assert.equal(photo.state, 'to_check', photo.refusal ?? '');
    const stored = await Promise.all(
      [licensedFileOf(photo.id), previewFileOf(photo.id, 480), previewFileOf(photo.id, 1080)].map((key) =>
        readStored(deps.photoStorage, key),
      ),
    );
    for (const bytes of [await shownByVenue(), ...stored]) {
      assert.ok(bytes && isBareJpeg(bytes));
      assert.doesNotMatch(bytes.toString('latin1'), MARKS);
      const { format, pages, height } = await sharp(bytes).metadata();
      assert.deepEqual([format, pages], ['jpeg', undefined]);
      assert.ok(height <= HEIGHT, 'one picture, not all of them in a row');
    }
  });

/** A GIF that says it is small and has a frame that is not. */
const gifBomb = () => {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(60_000, 6);
  head.writeUInt16LE(60_000, 8);
  return Buffer.concat([head, Buffer.from(',\0\0\0\0\x60\xea\x60\xea\0\x02\x02D\x01\0;', 'latin1')]);
};

const REFUSED: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  'an SVG with a script': () => SVG_WITH_SCRIPT,
  'an SVG behind a mark of its encoding': () => Buffer.concat([Buffer.from('\ufeff\n'), SVG_WITH_SCRIPT]),
  'a compressed SVG': () => deflateSync(SVG_WITH_SCRIPT),
  'a PNG of 50,000 by 50,000': () => bomb(50_000, 50_000),
  'a JPEG with parts that no program knows': () => jpegWith(0xf5, PAYLOAD),
  'a GIF of 60,000 by 60,000': gifBomb,
  'a page that begins like a GIF': () => Buffer.from(`GIF89a/*${PAYLOAD}*/=1;`),
  'a PDF that begins like nothing': () => Buffer.from(`\n\n%PDF-1.7\n${PAYLOAD}`),
  'the first half of a JPEG': async () => {
    const whole = await sharp({
      create: {
        width: 1_000,
        height: HEIGHT,
        channels: 3,
        background: '#7a9',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer();
    return whole.subarray(0, whole.length / 2);
  },
};

for (const [what, make] of Object.entries(REFUSED))
  test(`what is no picture, or no picture that can be decoded, gets in nowhere: ${what}`, async () => {
    const bytes = await make();
    assert.equal((await sendToVenue(bytes)).status, 422);
    const response = await sendFiles(service, photographer, [{ name: 'photo.jpg', bytes }]);
    if (response.status === 422) return;
    const { files } = (await response.json()) as { files: { photo_id: string }[] };
    const photoId = files[0]?.photo_id ?? '';
    for (let state = 'processing'; state === 'processing';) {
      const [row] = await deps.pool<{ state: string }[]>`select state from photo where id = ${photoId}`;
      state = row?.state ?? '';
      if (state !== 'processing') assert.equal(state, 'refused');
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(await readStored(deps.photoStorage, licensedFileOf(photoId)), undefined);
  });

test('a PNG or WebP of a venue that was stored as it came is shown as pixels only', async () => {
  const folder = join(deps.config.dataDir, 'photos/listing');
  mkdirSync(folder, { recursive: true });
  const kept = {
    png: trailing(wide().withXmp(XMP).png().toBuffer()),
    webp: trailing(wide().webp().toBuffer()),
  };
  for (const [extension, made] of Object.entries(kept)) {
    const name = `${'b'.repeat(64)}.${extension}`;
    writeFileSync(join(folder, name), await made);
    for (const time of ['first', 'second']) {
      const answer = await service.request(`/photos/listing/${name}`);
      assert.equal(answer.headers.get('content-type'), 'image/jpeg', `${extension}, the ${time} time`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.ok(isBareJpeg(bytes));
      assert.doesNotMatch(bytes.toString('latin1'), MARKS);
    }
  }
});
