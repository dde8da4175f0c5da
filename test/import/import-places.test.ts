import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { directoryState, importAt, importMap, NOW } from './import-directory.ts';
import { evidence, addDestination, cafe, database, place, said } from './made-town.ts';
import { withFile } from './readers/read-all.ts';
import { attributionOf } from '../../src/directory/attribution.ts';
import { listSources } from '../../src/directory/place/list-sources.ts';
import { DAY_MS } from '../../src/core/time.ts';

const MADE_UP = join(import.meta.dirname, 'readers/made-up-places.parquet');

test('a place comes in with its hours compiled, its booking page and the date of its check', async () => {
  const tags = {
    opening_hours: 'Mo-Fr 08:00-18:00',
    website: 'https://www.sevenrooms.com/reservations/ada',
    'name:ca': 'Cafè Ada',
    alt_name: 'Ada’s',
  };
  const report = await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Café Ada', tags)] });
  assert.equal(report.added, 1);
  const ada = await place('node/1');
  assert.deepEqual(ada['names'], { ca: 'Cafè Ada', 'x-other1': 'Ada’s' });
  const hours = ada['hours'] as Record<string, unknown>;
  assert.deepEqual(
    [hours['text'], hours['source'], hours['observed_at']],
    ['Mo-Fr 08:00-18:00', 'map', '2024-11-01T00:00:00.000Z'],
  );
  assert.deepEqual((hours['compiled'] as { week: unknown[] }).week[0], [[480, 1080]]);
  assert.deepEqual(
    [ada['booking_method'], ada['booking_platform'], ada['country']],
    ['venue_system', 'sevenrooms', 'AD'],
  );
  assert.deepEqual(ada['verified_at'], new Date('2024-11-01T00:00:00Z'));
});

test('hours that nobody understands are counted and kept as text', async () => {
  const report = await importMap(database, '2025-01-01', {
    nodes: [cafe(1, 'Ada', { opening_hours: 'when the sun feels like it' })],
  });
  assert.equal(report.hoursNotUnderstood, 1);
  const hours = (await place('node/1'))['hours'] as Record<string, unknown>;
  assert.deepEqual([hours['text'], hours['compiled']], ['when the sun feels like it', null]);
});

test('a newer extract writes only what changed, and keeps the ids', async () => {
  await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Ada'), cafe(2, 'Bea')] });
  const [ada, bea] = [await place('node/1'), await place('node/2')];
  const later = new Date(NOW.getTime() + DAY_MS);
  const report = await importMap(
    database,
    '2025-02-01',
    { nodes: [cafe(1, 'Ada', { cuisine: 'coffee_shop' }), cafe(2, 'Bea'), cafe(3, 'Cleo')] },
    { now: later },
  );
  assert.deepEqual([report.added, report.updated, report.unchanged, report.closed], [1, 1, 1, 0]);
  const changed = await place('node/1');
  assert.deepEqual(
    [changed['id'], changed['cuisine'], changed['updated_at']],
    [ada['id'], ['coffee_shop'], later],
  );
  assert.deepEqual(await place('node/2'), bea);
});

test('the same file again changes nothing, also when hours with holidays are compiled on another day', async () => {
  const map = { nodes: [cafe(1, 'Ada', { opening_hours: 'Mo-Fr 08:00-18:00; PH off; Dec 24 08:00-12:00' })] };
  await importMap(database, '2025-01-01', map);
  const state = await directoryState(database);
  const report = await importMap(database, '2025-01-01', map, { now: new Date('2025-03-15T00:00:00Z') });
  assert.deepEqual([report.added, report.updated, report.unchanged], [0, 0, 1]);
  assert.equal(await directoryState(database), state);
});

test('hours whose worked-out days run low are compiled anew', async () => {
  const map = { nodes: [cafe(1, 'Ada', { opening_hours: 'Mo-Fr 08:00-18:00; Dec 24 08:00-12:00' })] };
  await importMap(database, '2025-01-01', map);
  const report = await importMap(database, '2025-01-01', map, { now: new Date('2025-12-01T00:00:00Z') });
  assert.equal(report.updated, 1);
});

test('a claimed place keeps what its owner said, and takes the rest from the map', async () => {
  const tags = { phone: '+376 801 000', opening_hours: 'Mo 08:00-18:00' };
  await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Ada', tags)] });
  const owners = { text: 'daily', source: 'owner' as const, observed_at: NOW.toISOString(), compiled: null };
  await database.pool`update place set badge = 'claimed', rating = 4.5, review_count = 12`;
  await said('node/1', 'owner', {
    name: 'Ada & Daughters',
    about: 'Since 1901',
    phone: '+376802000',
    hours: owners,
    booking: { booking_method: 'request', booking_url: null, booking_platform: null },
  });
  const [{ id }] = (await database.pool`select id from place`) as unknown as [{ id: string }];
  await database.pool`insert into menu (place_id, currency, sections) values (${id}, 'EUR', '[]')`;
  const report = await importMap(database, '2025-02-01', {
    nodes: [
      cafe(1, 'Ada', {
        phone: '+376 803 000',
        opening_hours: 'Tu 08:00-18:00',
        cuisine: 'cake',
        website: 'https://www.sevenrooms.com/reservations/ada',
      }),
    ],
  });
  assert.equal(report.updated, 1);
  const ada = await place('node/1');
  assert.deepEqual(
    [
      ada['id'],
      ada['name'],
      ada['about'],
      ada['phone'],
      ada['hours'],
      ada['booking_method'],
      ada['booking_url'],
    ],
    [id, 'Ada & Daughters', 'Since 1901', '+376802000', owners, 'request', null],
  );
  assert.deepEqual(
    [ada['cuisine'], ada['website'], ada['rating'], ada['review_count']],
    [['cake'], 'https://www.sevenrooms.com/reservations/ada', '4.5', 12],
  );
  assert.equal((await database.pool`select 1 from menu`).length, 1);
});

test('a place falls into the smallest destination that covers it, also across the date line', async () => {
  await addDestination('quarter', { west: 1.4, south: 42.5, east: 1.6, north: 42.6 });
  await addDestination('date-line', { west: 179, south: -18, east: -179, north: -16 });
  const report = await importMap(database, '2025-01-01', {
    nodes: [
      cafe(1, 'Ada'),
      { ...cafe(2, 'Bea'), lat: 42.1 },
      { ...cafe(3, 'Cleo'), lat: -17, lng: -179.5 },
      { ...cafe(4, 'Dora'), lat: 10, lng: 10 },
    ],
  });
  assert.deepEqual([report.added, report.outside], [3, 1]);
  const rows = await database.pool<{ name: string; slug: string }[]>`
    select p.name, d.slug from place p join destination d on d.id = p.destination_id order by p.name`;
  assert.deepEqual(
    rows.map(({ name, slug }) => [name, slug]),
    [
      ['Ada', 'quarter'],
      ['Bea', 'town'],
      ['Cleo', 'date-line'],
    ],
  );
});

for (const [how, heldBytesMax] of [
  ['a file that is held', Infinity],
  ['a file that is read twice', 0],
] as const)
  test(`cities, towns and islands of ${how} become destinations when asked, where there is none and where there are places`, async () => {
    const report = await importMap(
      database,
      '2025-01-01',
      {
        nodes: [
          {
            id: 50,
            lat: 35.0116,
            lng: 135.7681,
            tags: { place: 'city', name: '京都市', 'name:en': 'Kyoto' },
          },
          { id: 51, lat: 42.51, lng: 1.5, tags: { place: 'town', name: 'Inside the town' } },
          { id: 52, lat: 60, lng: 25, tags: { place: 'town', name: 'No place here' } },
          { ...cafe(1, '喫茶店'), lat: 35.01, lng: 135.76 },
        ],
      },
      { autoDestinations: true, heldBytesMax },
    );
    assert.equal(report.destinations, 1);
    const rows = await database.pool`
    select slug, name, other_names, country, timezone from destination where slug <> 'town'`;
    assert.deepEqual(
      rows.map((row) => ({ ...row, other_names: (row['other_names'] as string[]).includes('京都市') })),
      [{ slug: 'kyoto', name: 'Kyoto', other_names: true, country: 'JP', timezone: 'Asia/Tokyo' }],
    );
    assert.match(String((await place('node/1'))['latin_name']), /^[a-z ]+$/i);
  });

test('of two features with one reference the last is taken, and odd characters do no harm', async () => {
  const feature = (name: string) => ({
    type: 'Feature',
    id: 'cafe-1',
    geometry: { type: 'Point', coordinates: [1.5, 42.5] },
    properties: { name, category: 'cafe', 'name:en': 'tab\there \\ "quoted" \ud800 {brace}' },
  });
  const collection = { type: 'FeatureCollection', features: [feature('First'), feature('Last')] };
  const report = await withFile(JSON.stringify(collection), (file) =>
    importAt(database, file, { source: 'geojson', asOf: NOW }),
  );
  assert.equal(report.added, 1);
  assert.equal((await place('cafe-1'))['name'], 'Last');
});

test("Overture's places come in once each, without those that it calls closed", async () => {
  await addDestination('barcelona', { west: 2, south: 41, east: 3, north: 42 });
  const first = await importAt(database, MADE_UP, { source: 'overture' });
  const again = await importAt(database, MADE_UP, { source: 'overture' });
  assert.deepEqual([first.added, again.added, again.updated], [1, 0, 0]);
});

test('the attribution names Overture while the directory holds its data, as places or beside those of a map', async () => {
  const names = { serviceName: 'Waypost', providerName: 'Example', providerUrl: 'https://example.com' };
  const line = async () => attributionOf(names, false, await listSources(database.pool)).attribution;
  assert.equal(
    await line(),
    'Place data © OpenStreetMap contributors (ODbL) and Example, verified by Waypost.',
  );
  await addDestination('barcelona', { west: 2, south: 41, east: 3, north: 42 });
  await importAt(database, MADE_UP, { source: 'overture' });
  const named =
    'Place data © OpenStreetMap contributors (ODbL), Overture Maps Foundation (CDLA-Permissive-2.0) and Example, verified by Waypost.';
  assert.equal(await line(), named);
  await database.pool`update place set source = 'osm' where source = 'overture'`;
  assert.notEqual(await line(), named);
  await database.pool`
    insert into place_reference (source, source_ref, place_id, last_seen_at, contributes)
    select 'overture', 'x', id, now(), true from place limit 1`;
  assert.equal(await line(), named);
});

test('facts follow the map, also of a place that its venue has claimed, and the same file changes nothing', async () => {
  const ada = (tags: Record<string, string>) => ({ nodes: [cafe(1, 'Ada', tags)] });
  await importMap(database, '2025-01-01', ada({ wheelchair: 'no', 'diet:vegan': 'yes' }));
  assert.deepEqual((await place('node/1'))['facts'], { wheelchair: 'no', diets: ['vegan'] });
  assert.deepEqual((await place('node/1'))['observed_at'], new Date('2024-11-01T00:00:00Z'));
  await database.pool`update place set badge = 'claimed' where source_ref = 'node/1'`;
  const newer = await importMap(database, '2025-02-01', ada({ wheelchair: 'yes' }));
  assert.equal(newer.updated, 1);
  assert.deepEqual((await place('node/1'))['facts'], { wheelchair: 'yes' });
  const again = await importMap(database, '2025-02-01', ada({ wheelchair: 'yes' }));
  assert.deepEqual([again.updated, again.unchanged], [0, 1]);
});

test('a place that the map calls closed is closed in its words, and one that never was here does not come in', async () => {
  await importMap(database, '2025-01-01', { nodes: [cafe(1, 'Ada'), cafe(2, 'Bea')] });
  const report = await importMap(database, '2025-02-01', {
    nodes: [cafe(1, 'Ada (closed)'), cafe(2, 'Bea', { end_date: '2025-01-15' }), cafe(3, 'CLOSED - Cleo')],
  });
  assert.deepEqual([report.closed, report.added, report.read.closed], [2, 0, 3]);
  assert.deepEqual(
    [(await evidence('node/1'))[0]?.['note'], (await evidence('node/2'))[0]?.['note']],
    [
      'Called closed in the map: its name there is “Ada (closed)”.',
      'Called closed in the map: end_date=2025-01-15.',
    ],
  );
  assert.equal((await place('node/1'))['name'], 'Ada');
  const back = await importMap(database, '2025-03-01', { nodes: [cafe(1, 'Ada'), cafe(2, 'Bea')] });
  assert.equal(back.reopened, 2);
});
