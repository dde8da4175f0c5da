import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { assetUrl, serveAssets } from '../../../src/surfaces/people/assets.ts';

const names = ['waypost.css', 'waypost.js', 'favicon.svg', 'logo.svg', 'display-latin.woff2'] as const;

test('Every asset is served under its content hash, for ever, in the encoding that the browser accepts', async () => {
  const app = Fastify().register(serveAssets);
  for (const name of names) {
    const plain = await app.inject({ url: assetUrl(name) });
    assert.equal(plain.statusCode, 200);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(Number(plain.headers['content-length']), plain.rawPayload.length);
    const headers = { 'accept-encoding': 'gzip, br;q=0.9, deflate' };
    const encoded = await app.inject({ url: assetUrl(name), headers });
    assert.equal(encoded.headers['content-encoding'], name.endsWith('woff2') ? undefined : 'br');
    const refused = await app.inject({ url: assetUrl(name), headers: { 'accept-encoding': 'br;q=0, gzip' } });
    assert.equal(refused.headers['content-encoding'], name.endsWith('woff2') ? undefined : 'gzip');
  }
});

test('HEAD gives the headers alone, and a known tag gives 304', async () => {
  const app = Fastify().register(serveAssets);
  const head = await app.inject({ method: 'HEAD', url: assetUrl('waypost.css') });
  assert.equal(head.statusCode, 200);
  assert.equal(head.body, '');
  assert.match(String(head.headers['content-type']), /^text\/css/);
  const tag = String(head.headers.etag);
  const again = await app.inject({ url: assetUrl('waypost.css'), headers: { 'if-none-match': tag } });
  assert.equal(again.statusCode, 304);
  assert.equal(again.body, '');
});

test('A file that is not an asset is not found', async () => {
  const app = Fastify().register(serveAssets);
  for (const url of ['/assets/waypost.css', '/assets/..%2Flayout.ts', '/assets/constructor']) {
    assert.equal((await app.inject({ url })).statusCode, 404, url);
  }
});

test('The stylesheet loads nothing but our own assets', async () => {
  const app = Fastify().register(serveAssets);
  const { body } = await app.inject({ url: assetUrl('waypost.css') });
  const urls = [...body.matchAll(/url\(['"]?([^'")]+)/g)].map(([, url = '']) => url);
  assert.equal(urls.length, 3);
  for (const url of urls) assert.equal((await app.inject({ url })).statusCode, 200, url);
  assert.doesNotMatch(body, /@import/);
});
