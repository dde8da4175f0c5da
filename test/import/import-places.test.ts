import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { recordReopening } from '../../src/directory/closure.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { directoryState, importAt, importMap, NOW, seconds } from './import-directory.ts';
import { withFile } from './read-all.ts';
import type { MadeNode } from './write-osm-pbf.ts';

const MADE_UP = join(import.meta.dirname, 'made-up-places.parquet');

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await database.pool`truncate place, import_area, destination cascade`;
  await addDestination('town', { west: 1, south: 42, east: 2, north: 43 });
});

async function addDestination(
  slug: string,
  { west, south, east, north }: { west: number; south: number; east: number; north: number },
): Promise<void> {
  const id = `dst_${slug.replaceAll(/[^a-hjkmnp-tv-z]/g, '0').padEnd(26, '0')}`;
  await database.pool`
    insert into destination (id, slug, name, country, timezone, lat, lng, west, south, east, north)
    values (${id}, ${slug}, ${slug}, 'AD', 'Europe/Andorra', ${south}, ${west}, ${west}, ${south}, ${east}, ${north})`;
}

function cafe(id: number, name: string, tags: Record<string, string> = {}): MadeNode {
  // A hundredth of a degree apart, so that no two could be one place.
  return {
    id,
    lat: 42.5 + id / 100,
    lng: 1.5,
    tags: { amenity: 'cafe', name, ...tags },
    changed: seconds('2024-11-01'),
  };
}

async function place(ref: string): Promise<Record<string, unknown>> {
  const [row] = await database.pool<Record<string, unknown>[]>`
    select *, changed_by::text as changed_by from place where source_ref = ${ref}`;
  assert.ok(row !== undefined, `${ref} is in the directory`);
  return row;
}

async function evidence(ref: string): Promise<Record<string, unknown>[]> {
  const rows = await database.pool<Record<string, unknown>[]>`
    select e.kind, e.source_url, e.note, e.observed_at from closure_evidence e
    join place p on p.id = e.place_id where p.source_ref = ${ref}`;
  return [...rows];
}

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
  const later = new Date(NOW.getTime() + 86_400_000);
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
  const owners = { text: 'daily', source: 'owner', observed_at: NOW.toISOString(), compiled: null };
  await database.pool`
    update place set badge = 'claimed', name = 'Ada & Daughters', about = 'Since 1901', phone = '+376802000',
      hours = ${database.pool.json(owners)}, booking_method = 'request', chosen_by_venue = true,
      rating = 4.5, review_count = 12`;
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

test('what vanished and what went out of use is closed with evidence, and is reopened when it is back', async () => {
  const [ada, bea, cleo] = [cafe(1, 'Ada'), cafe(2, 'Bea'), cafe(3, 'Cleo')];
  await importMap(database, '2025-01-01', { nodes: [ada, bea, cleo] });
  const disused = {
    ...bea,
    tags: { 'disused:amenity': 'cafe', name: 'Bea' },
    changed: seconds('2025-01-20'),
  };
  const second = await importMap(database, '2025-02-01', { nodes: [disused, cleo] });
  assert.deepEqual([second.closed, second.updated, second.unchanged], [2, 0, 1]);
  assert.deepEqual((await place('node/1'))['closed_at'], new Date('2025-02-01T00:00:00Z'));
  assert.deepEqual(await evidence('node/1'), [
    {
      kind: 'published_report',
      source_url: 'https://www.openstreetmap.org/node/1',
      note: 'No longer in the map extract of 2025-02-01.',
      observed_at: new Date('2025-02-01T00:00:00Z'),
    },
  ]);
  const [report] = await evidence('node/2');
  assert.deepEqual(
    [report?.['note'], report?.['observed_at']],
    ['Marked as disused in the map.', new Date('2025-01-20T00:00:00Z')],
  );

  const state = await directoryState(database);
  await importMap(database, '2025-02-01', { nodes: [disused, cleo] });
  assert.equal(await directoryState(database), state);

  const third = await importMap(database, '2025-02-20', { nodes: [ada, bea, cleo] });
  assert.deepEqual([third.reopened, third.closed], [2, 0]);
  assert.equal((await place('node/1'))['closed_at'], null);
  assert.deepEqual(await evidence('node/1'), []);
});

test('an import does not reopen what somebody else closed, nor close again what staff found open', async () => {
  const [ada, bea] = [cafe(1, 'Ada'), cafe(2, 'Bea')];
  await importMap(database, '2025-01-01', { nodes: [ada, bea] });
  await database.pool`
    with closed as (update place set closed_at = ${NOW} where source_ref = 'node/1' returning id)
    insert into closure_evidence (place_id, kind, note, observed_at) select id, 'venue_said', 'We closed.', ${NOW} from closed`;
  const report = await importMap(database, '2025-02-01', { nodes: [ada] });
  assert.deepEqual([report.reopened, report.closed], [0, 0]);

  await importMap(database, '2025-02-10', { nodes: [ada, bea] });
  await importMap(database, '2025-02-11', { nodes: [ada, bea, cafe(3, 'Cleo'), cafe(4, 'Dora')] });
  await importMap(database, '2025-02-12', { nodes: [ada, cafe(3, 'Cleo'), cafe(4, 'Dora')] });
  const closed = await place('node/2');
  assert.notEqual(closed['closed_at'], null);
  await recordReopening(database.pool, NOW, {
    placeId: String(closed['id']),
    note: 'We were there.',
    source: 'staff',
  });
  const again = await importMap(database, '2025-03-10', { nodes: [ada, cafe(3, 'Cleo'), cafe(4, 'Dora')] });
  assert.equal(again.closed, 0);
  assert.equal((await place('node/2'))['closed_at'], null);
});

test('a claimed place that vanished from the map stays open, with the evidence beside it', async () => {
  const [ada, bea] = [cafe(1, 'Ada'), cafe(2, 'Bea')];
  await importMap(database, '2025-01-01', { nodes: [ada, bea] });
  await database.pool`update place set badge = 'claimed' where source_ref = 'node/2'`;
  const report = await importMap(database, '2025-02-01', { nodes: [ada] });
  assert.deepEqual([report.closed, report.doubted], [0, 1]);
  assert.equal((await place('node/2'))['closed_at'], null);
  assert.equal((await evidence('node/2')).length, 1);
});

test('an extract of a neighbouring area closes nothing here', async () => {
  const here = [cafe(1, 'Ada'), cafe(2, 'Bea'), cafe(3, 'Cleo')];
  await importMap(database, '2025-01-01', { nodes: here });
  const report = await importMap(database, '2025-02-01', {
    nodes: [cafe(3, 'Cleo'), cafe(8, 'Hebe'), cafe(9, 'Ida')],
  });
  assert.deepEqual([report.added, report.unchanged, report.closed], [2, 1, 0]);
  const next = await importMap(database, '2025-02-02', { nodes: [cafe(1, 'Ada'), cafe(3, 'Cleo')] });
  assert.equal(next.closed, 1);
  assert.equal((await evidence('node/2')).length, 1);
});

test('a place that was drawn anew as a building keeps its id', async () => {
  const [ada, bea] = [cafe(1, 'Café Ada Lovelace', { phone: '+376 801 000' }), cafe(2, 'Bea')];
  await importMap(database, '2025-01-01', { nodes: [ada, bea] });
  const { id } = await place('node/1');
  const corners = [0, 1, 2, 3].map((at) => ({
    id: 100 + at,
    lat: ada.lat + (at < 2 ? 0.0001 : -0.0001),
    lng: ada.lng + (at % 3 === 0 ? 0.0001 : -0.0001),
  }));
  const report = await importMap(database, '2025-02-01', {
    nodes: [bea, ...corners],
    ways: [{ id: 7, refs: [100, 101, 102, 103, 100], tags: ada.tags ?? {} }],
  });
  assert.deepEqual([report.redrawn, report.added, report.closed], [1, 0, 0]);
  assert.equal((await place('way/7'))['id'], id);
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

test('cities, towns and islands become destinations when asked, where there is none and where there are places', async () => {
  const report = await importMap(
    database,
    '2025-01-01',
    {
      nodes: [
        { id: 50, lat: 35.0116, lng: 135.7681, tags: { place: 'city', name: '京都市', 'name:en': 'Kyoto' } },
        { id: 51, lat: 42.51, lng: 1.5, tags: { place: 'town', name: 'Inside the town' } },
        { id: 52, lat: 60, lng: 25, tags: { place: 'town', name: 'No place here' } },
        { ...cafe(1, '喫茶店'), lat: 35.01, lng: 135.76 },
      ],
    },
    { autoDestinations: true },
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
    importAt(database, file, { source: 'geojson' }),
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
