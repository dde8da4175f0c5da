import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { licensedFileOf } from '../../../../src/photos/photo-storage.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { makeBuyer } from '../../../licensing/buyer.ts';
import { addMadePhoto } from '../../../licensing/made-photo.ts';

const service = await startTestService();
const { pool } = service.database;
const { clock } = service;
const FILE = randomBytes(10_000);

async function buy() {
  const photoId = await addMadePhoto(pool, clock, { file: FILE });
  await service.app.deps.photoStorage.put(licensedFileOf(photoId), FILE, 'image/jpeg');
  const buyer = await makeBuyer(service, 5_000);
  const { body } = await buyer.license(photoId, 'web', 900, 'k');
  const { url } = body['download'] as { url: string };
  return { buyer, id: String(body['license_id']), path: new URL(url).pathname };
}

function fetchFile(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return service.request(path, { headers, method });
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

test('the link of a licence gives the file, whole and in parts', async () => {
  const { path, id } = await buy();
  const whole = await fetchFile(path);
  assert.equal(whole.status, 200);
  assert.deepEqual(await bytesOf(whole), FILE);
  assert.equal(whole.headers.get('content-type'), 'image/jpeg');
  assert.equal(whole.headers.get('accept-ranges'), 'bytes');
  assert.equal(whole.headers.get('content-disposition'), `attachment; filename="${id}.jpg"`);
  assert.equal(whole.headers.get('tdm-reservation'), '1');
  const part = await fetchFile(path, { range: 'bytes=100-199' });
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 100-199/10000']);
  assert.deepEqual(await bytesOf(part), FILE.subarray(100, 200));
  const end = await fetchFile(path, { range: 'bytes=-50' });
  assert.deepEqual(await bytesOf(end), FILE.subarray(9_950));
  const rest = await fetchFile(path, { range: 'bytes=9000-', 'if-range': whole.headers.get('etag') ?? '' });
  assert.deepEqual([rest.status, (await bytesOf(rest)).length], [206, 1_000]);
  assert.equal((await fetchFile(path, { range: 'bytes=10000-' })).status, 416);
  const head = await fetchFile(path, {}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10000']);
});

test('a link is good for 15 minutes, and an altered one is none', async () => {
  const { path } = await buy();
  const other = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`;
  for (const wrong of [other, path.replace(/\.[0-9a-z]+\./, '.zzzzzzzz.'), '/photos/files/x'])
    assert.equal((await fetchFile(wrong)).status, 404, wrong);
  clock.advance(15 * 60_000 - 1);
  assert.equal((await fetchFile(path)).status, 200);
  clock.advance(1);
  const late = await fetchFile(path);
  assert.equal(late.status, 410);
  assert.equal(((await late.json()) as { code: string }).code, 'link_expired');
});

test('a holder gets a fresh link ten times a day, with the hash of the file; nobody else gets any', async () => {
  const { buyer, id, path } = await buy();
  clock.advance(20 * 60_000);
  assert.equal((await fetchFile(path)).status, 410);
  const link = await buyer.post('/api/agent/photos/link', { license_id: id });
  assert.equal(link.status, 200);
  const { url, expires_at, sha256, bytes, filename, certificate_url } = link.body;
  assert.deepEqual(
    [expires_at, bytes, filename, certificate_url],
    [
      new Date(clock.now().getTime() + 15 * 60_000).toISOString(),
      10_000,
      `${id}.jpg`,
      `https://waypost.example/licenses/${id}`,
    ],
  );
  const file = await fetchFile(new URL(String(url)).pathname);
  assert.equal(file.status, 200);
  const { createHash } = await import('node:crypto');
  assert.equal(
    createHash('sha256')
      .update(await bytesOf(file))
      .digest('hex'),
    sha256,
  );
  for (let n = 1; n < 10; n++)
    assert.equal((await buyer.post('/api/agent/photos/link', { license_id: id })).status, 200);
  const eleventh = await buyer.post('/api/agent/photos/link', { license_id: id });
  assert.deepEqual([eleventh.status, eleventh.body['code']], [429, 'link_limit']);
  assert.ok(Number(eleventh.headers.get('retry-after')) > 0);
  const stranger = await makeBuyer(service);
  for (const license_id of [id, 'lic_01kdtqb00071qz6sbs7e2vkqza', 'x']) {
    const refused = await stranger.post('/api/agent/photos/link', { license_id });
    assert.deepEqual([refused.status, refused.body['code']], [404, 'license_not_found']);
  }
});
