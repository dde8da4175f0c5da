import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { attributionSchema } from '../../src/directory/attribution.ts';
import { recordClosure, recordReopening } from '../../src/directory/closure/closure.ts';
import { listClosures } from '../../src/directory/closure/list-closures.ts';
import { importMap, seconds, shopsAround } from '../import/import-directory.ts';
import { startTestService } from '../harness/service/service.ts';

interface Listed {
  closures: {
    place_id: string;
    name: string;
    state: string;
    source: string;
    source_ref: string;
    source_url: string;
    closed_at: string;
    noted_at: string;
    destination: { slug: string };
    evidence: { note: string; kind: string }[];
    reopened: { at: string; by: string } | null;
  }[];
  next_cursor: string | null;
}

const service = await startTestService({ demoPlaces: 300 });
const { database, clock } = service;
const MIDDLE = { lat: 43.7396, lng: 7.4272 };
const CAFES = ['Ada', 'Bea', 'Cleo & <Söhne>'].map((name, at) => ({
  id: at + 1,
  lat: MIDDLE.lat + at / 1000,
  lng: MIDDLE.lng,
  tags: { amenity: 'cafe', name },
  changed: seconds('2024-11-01'),
}));
const town = (...gone: number[]) => ({
  nodes: [...CAFES.filter(({ id }) => !gone.includes(id)), ...shopsAround(MIDDLE)],
});
await importMap(database, '2025-01-01', town(), { now: clock.now() });
await importMap(database, '2025-02-01', town(1, 2), { now: clock.now() });
clock.advance(60_000);
await importMap(database, '2025-03-01', town(1, 2, 3), { now: clock.now() });

async function get(query = ''): Promise<Listed> {
  const response = await service.request(`/api/agent/closures${query}`);
  assert.equal(response.status, 200);
  return (await response.json()) as Listed;
}

const names = ({ closures }: Listed) => closures.map(({ name }) => name);

test('closures are listed without a key, with evidence and the object, newest first', async () => {
  const listed = await get();
  z.strictObject({ ...listClosures.output.shape, ...attributionSchema.shape }).parse(listed);
  assert.deepEqual(names(listed).slice(0, 1), ['Cleo & <Söhne>']);
  assert.deepEqual(names(listed).sort(), ['Ada', 'Bea', 'Cleo & <Söhne>'], 'and nothing that is fictional');
  const ada = listed.closures.find(({ name }) => name === 'Ada');
  assert.deepEqual(
    [
      ada?.state,
      ada?.source,
      ada?.source_ref,
      ada?.source_url,
      ada?.closed_at,
      ada?.reopened,
      ada?.destination.slug,
    ],
    [
      'closed',
      'osm',
      'node/1',
      'https://www.openstreetmap.org/node/1',
      '2025-02-01T00:00:00.000Z',
      null,
      'monaco',
    ],
  );
  assert.deepEqual(
    ada?.evidence.map(({ note }) => note),
    ['No longer in the map extract of 2025-02-01.'],
  );
});

test('people read the latest closure first, with its source in words', async () => {
  const page = await (await service.request('/closures', { headers: { accept: 'text/html' } })).text();
  const dates = [...page.matchAll(/<time datetime="([^"]+)"/g)].map(([, date]) => date ?? '');
  assert.ok(dates.length > 3, 'fictional places are listed too');
  assert.deepEqual(dates, dates.toSorted().reverse());
  assert.match(page, /<a href="https:\/\/www\.openstreetmap\.org\/node\/1"[^>]*>OpenStreetMap<\/a>/);
  assert.doesNotMatch(page, /demo\/\d/);
});

test('since asks by the day of the evidence, noted_since by when the directory learned of it', async () => {
  assert.deepEqual(names(await get('?since=2025-02-15')), ['Cleo & <Söhne>']);
  assert.equal(names(await get('?since=0000-01-01')).length, 3);
  assert.equal(names(await get('?since=9999-12-31T23:59:59-14:00')).length, 0);
  const noted = new Date(clock.now().getTime() - 30_000).toISOString();
  assert.deepEqual(names(await get(`?noted_since=${noted}`)), ['Cleo & <Söhne>']);
  assert.deepEqual(names(await get('?destination=Tokyo')), []);
  assert.equal(names(await get('?destination=monaco')).length, 3);
});

test('pages follow each other without a gap or a repetition', async () => {
  const seen: string[] = [];
  let query = '?limit=1';
  for (;;) {
    const { closures, next_cursor } = await get(query);
    assert.equal(closures.length, 1);
    seen.push(closures[0]?.place_id ?? '');
    if (next_cursor === null) break;
    query = `?limit=1&cursor=${next_cursor}`;
  }
  assert.deepEqual(
    seen,
    (await get()).closures.map(({ place_id }) => place_id),
  );
});

test('wrong input is refused in words, and a list that the caller has is not sent again', async () => {
  for (const [query, status, code] of [
    ['?since=yesterday', 422, 'validation_failed'],
    ['?limit=0', 422, 'validation_failed'],
    ['?cursor=abc', 400, 'bad_cursor'],
    ['?destination=Nowhereville', 404, 'unknown_destination'],
  ] as const) {
    const response = await service.request(`/api/agent/closures${query}`);
    assert.deepEqual(
      [response.status, ((await response.json()) as { code: string }).code],
      [status, code],
      query,
    );
  }
  const first = await service.request('/api/agent/closures');
  const again = await service.request('/api/agent/closures', {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
});

test('the feed and the page show the same, with names as text', async () => {
  const feed = await service.request('/closures.atom');
  assert.match(feed.headers.get('content-type') ?? '', /^application\/atom\+xml/);
  const atom = await feed.text();
  assert.match(atom, /^<\?xml version="1\.0" encoding="utf-8"\?>\s*<feed /);
  assert.equal(atom.split('<entry>').length - 1, 3);
  assert.match(atom, /<title>Closed: Cleo &amp; &lt;Söhne&gt;, Monaco<\/title>/);
  assert.match(atom, /<georss:point>43\.7396 7\.4272<\/georss:point>/);
  const same = await service.request('/closures.atom', {
    headers: { 'if-none-match': feed.headers.get('etag') ?? '' },
  });
  assert.equal(same.status, 304);
  const page = await (await service.request('/closures?since=2025-02-15')).text();
  assert.match(page, /Cleo &amp; &lt;Söhne&gt;/);
  assert.doesNotMatch(page, />Ada</);
  assert.match(await (await service.request('/closures?since=soon')).text(), /This is not a valid date\./);
  assert.match(
    await (await service.request('/closures?destination=Nowhereville')).text(),
    /No destination with this name/,
  );
  assert.equal((await service.request('/closures?cursor=abc', { redirect: 'manual' })).status, 302);
  assert.match(await (await service.request('/')).text(), /href="\/closures"/);
});

test('a reopened place is listed too, with its source and without the notes of staff', async () => {
  const { closures } = await get();
  const ada = closures.find(({ name }) => name === 'Ada')?.place_id ?? '';
  const bea = closures.find(({ name }) => name === 'Bea')?.place_id ?? '';
  clock.advance(60_000);
  await database.pool.begin((tx) =>
    recordReopening(tx, clock.now(), { placeId: ada, note: 'Mrs Ada told me in private.', source: 'staff' }),
  );
  clock.advance(60_000);
  await importMap(database, '2025-04-01', town(1), { now: clock.now() });
  const listed = await get();
  const told = (id: string) => listed.closures.filter(({ place_id }) => place_id === id);
  assert.deepEqual(
    [told(ada), told(bea)].map((all) => all.map(({ state, reopened }) => [state, reopened?.by])),
    [[['reopened', 'staff']], [['reopened', 'import']]],
  );
  assert.doesNotMatch(JSON.stringify(listed), /in private/);
  assert.match(
    await (await service.request('/closures.atom')).text(),
    /<title>Open again: Bea, Monaco<\/title>/,
  );
  clock.advance(60_000);
  const report = {
    kind: 'published_report',
    source_url: 'https://news.example/bea',
    note: 'It has closed.',
  } as const;
  await database.pool.begin((tx) =>
    recordClosure(tx, clock.now(), { placeId: bea, ...report, observed_at: clock.now() }),
  );
  const [first] = (await get()).closures;
  assert.deepEqual(
    [first?.place_id, first?.state, first?.evidence.map(({ note }) => note)],
    [bea, 'closed', ['It has closed.']],
  );
});

test('the page for people also lists the closures of the demonstration, and marks them', async () => {
  const fictional = await database.pool<{ id: string }[]>`
    select id from place where source = 'demo' and closed_at is not null`;
  assert.ok(fictional.length > 0);
  const page = await (await service.request('/closures', { headers: { accept: 'text/html' } })).text();
  for (const { id } of fictional) assert.ok(page.includes(`href="/p/${id}"`), id);
  assert.equal(page.match(/>Fictional</g)?.length, fictional.length);
});
