import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { HOUR_MS } from '../../../../src/core/time.ts';
import { BASE_URL, startTestService } from '../../../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;
const ids = await pool<{ id: string }[]>`
  select p.id from place p join destination d on d.id = p.destination_id
  where d.slug = 'bali' and p.closed_at is null order by p.id limit 3`;
const [real, closed, fictional] = ids.map(({ id }) => id);
assert.ok(real !== undefined && closed !== undefined && fictional !== undefined);
await pool`update place set source = 'osm', source_ref = id, updated_at = '2026-11-02T03:04:05Z' where id = any(${[real, closed]})`;
await pool`update place set closed_at = now() where id = ${closed}`;

async function read(path: string): Promise<string> {
  const response = await service.request(path);
  assert.equal(response.status, 200, path);
  return response.text();
}

const addressesIn = (map: string) =>
  [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address ?? '');
const pathIn = (address: string) => address.slice(BASE_URL.length);

test('robots.txt leads to sitemaps that lead to every page that may be found, and no fictional or closed place', async () => {
  const robots = await read('/robots.txt');
  assert.match(robots, /^User-agent: \*\n/);
  assert.match(robots, /^Disallow: \/console$/m);
  const index = /^Sitemap: (.+)$/m.exec(robots)?.[1] ?? '';
  assert.equal(index, `${BASE_URL}/sitemap.xml`);
  const maps = addressesIn(await read(pathIn(index)));
  assert.deepEqual(maps, [`${BASE_URL}/sitemaps/destinations.xml`, `${BASE_URL}/sitemaps/bali/1.xml`]);
  const pages = (await Promise.all(maps.map((map) => read(pathIn(map))))).flatMap(addressesIn);
  assert.deepEqual(pages, [`${BASE_URL}/`, `${BASE_URL}/d/bali`, `${BASE_URL}/p/${real}`]);
  for (const page of pages) {
    const text = await read(pathIn(page));
    assert.ok(text.includes(`<link rel="canonical" href="${page}" />`), page);
    assert.doesNotMatch(text, /noindex/, page);
  }
});

test('a sitemap says when its pages changed, and is made anew after an hour', async () => {
  assert.match(await read('/sitemaps/bali/1.xml'), /<lastmod>2026-11-02T03:04:05\.000Z<\/lastmod>/);
  await pool`update place set source = 'osm', source_ref = id where id = ${fictional}`;
  assert.equal(addressesIn(await read('/sitemaps/bali/1.xml')).length, 1);
  service.clock.advance(HOUR_MS);
  assert.equal(addressesIn(await read('/sitemaps/bali/1.xml')).length, 2);
  for (const path of [
    '/sitemaps/bali/2.xml',
    '/sitemaps/bali/0.xml',
    '/sitemaps/nowhere/1.xml',
    '/sitemaps/bali/x',
  ])
    assert.equal((await service.request(path)).status, 404, path);
});

test('a fictional place is not for search engines', async () => {
  const [{ id } = { id: '' }] = await pool<{ id: string }[]>`
    select id from place where source = 'demo' and closed_at is null limit 1`;
  assert.match(await read(`/p/${id}`), /<meta name="robots" content="noindex" \/>/);
});

test('a page that is shared brings its picture along', async () => {
  const page = await read('/closures');
  const picture = /<meta property="og:image" content="([^"]+)" \/>/.exec(page)?.[1] ?? '';
  assert.ok(picture.startsWith(`${BASE_URL}/assets/share.`), picture);
  const answer = await service.request(pathIn(picture));
  assert.equal(answer.headers.get('content-type'), 'image/png');
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);
});

test('a destination says in schema.org words what it is and lists, and each page its names in other languages', async () => {
  const page = await read('/d/bali');
  const linked = JSON.parse(/ld\+json">([^<]+)</.exec(page)?.[1] ?? '{}') as {
    '@type': string;
    name: string;
    mainEntity: { itemListElement: { url: string; position: number }[] };
  };
  assert.deepEqual([linked['@type'], linked.name], ['TouristDestination', 'Bali']);
  const { itemListElement } = linked.mainEntity;
  const listed = [...page.matchAll(/data-place="(\w+)"/g)].map(([, id = '']) => `${BASE_URL}/p/${id}`);
  assert.deepEqual(
    itemListElement.map(({ url }) => url),
    listed,
  );
  for (const path of ['/d/bali', `/p/${real}`]) {
    const text = await read(path);
    const others = [...text.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)];
    assert.deepEqual(others[0]?.slice(1), ['x-default', BASE_URL + path]);
    const [, , german = ''] = others.find(([, language]) => language === 'de') ?? [];
    // Every page of a set names the same set, and itself as the canonical one.
    const inGerman = await read(pathIn(german));
    assert.ok(inGerman.includes(`<link rel="canonical" href="${german}" />`));
    assert.deepEqual([...inGerman.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].join(), others.join());
    assert.match(await read('/robots.txt'), /^Allow: \/[dp]\/\*\?lang=$/m);
  }
});

test('a place that is shared brings a picture of its own, drawn once', async () => {
  const page = await read(`/p/${real}`);
  assert.ok(page.includes(`<meta property="og:image" content="${BASE_URL}/p/${real}/share.png" />`));
  const picture = () => service.request(`/p/${real}/share.png`);
  const answer = await picture();
  assert.equal(answer.headers.get('content-type'), 'image/png');
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);
  const etag = answer.headers.get('etag') ?? '';
  assert.equal((await picture()).headers.get('etag'), etag);
  const again = await service.request(`/p/${real}/share.png`, { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  const shared = '/d/bali/share.png';
  assert.ok((await read('/d/bali')).includes(`<meta property="og:image" content="${BASE_URL}${shared}" />`));
  const ofDestination = await service.request(shared);
  const drawn = Buffer.from(await ofDestination.arrayBuffer());
  assert.deepEqual([drawn.readUInt32BE(16), drawn.readUInt32BE(20)], [1200, 630]);
  assert.equal((await service.request('/d/nowhere/share.png')).status, 404);
  // A name is text, whatever it contains.
  await pool`update place set name = ${'</span><b>& "Söhne" & '.repeat(8)}, names = '{}' where id = ${real}`;
  const renamed = await picture();
  assert.equal(renamed.status, 200);
  assert.notEqual(renamed.headers.get('etag'), etag);
  const ofClosed = await service.request(`/p/${closed}/share.png`);
  const mark = sharp(Buffer.from(await ofClosed.arrayBuffer())).extract({
    ...{ left: 70, top: 80, width: 10, height: 16 },
  });
  const { dominant } = await sharp(await mark.toBuffer()).stats();
  assert.ok(dominant.r > 150 && dominant.g < 60, 'a closed place carries a red mark');
  assert.equal((await service.request(`/p/plc_${'0'.repeat(26)}/share.png`)).status, 404);
});
