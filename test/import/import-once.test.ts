import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMergedInto } from '../../src/directory/place/merge-places.ts';
import { directoryState, importAt, importMap } from './import-directory.ts';
import { cafe, database, evidence, place, said, townOf } from './made-town.ts';
import { withFile } from './readers/read-all.ts';
import type { MadeMap, MadeNode } from './readers/write-osm-pbf.ts';

/** A house around a café, some metres off. */
function houseOf({ lat, lng, tags = {} }: MadeNode, others: Record<string, string> = {}) {
  const corners = [0, 1, 2, 3].map((at) => ({
    id: 500 + at,
    lat: lat + 0.00005 + (at < 2 ? 0.00005 : -0.00005),
    lng: lng + (at % 3 === 0 ? 0.00005 : -0.00005),
  }));
  return { corners, way: { id: 7, refs: [500, 501, 502, 503, 500], tags: { ...tags, ...others } } };
}

const ADA = cafe(1, 'Café Ada', { phone: '+376 801 000' });
const { corners, way } = houseOf(ADA, { name: 'Cafe ADA', website: 'https://ada.example', phone: '' });
const BOTH: MadeMap = { nodes: townOf(ADA, ...corners), ways: [way] };

async function cafes(): Promise<string[]> {
  const rows = await database.pool<{ source_ref: string }[]>`
    select source_ref from place where category = 'cafe' and closed_at is null order by source_ref`;
  return rows.map(({ source_ref }) => source_ref);
}

function feature(id: string, { lat, lng, tags }: MadeNode, others: Record<string, string> = {}) {
  return {
    type: 'Feature',
    id,
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { ...tags, ...others },
  };
}

/** Between the two maps of the town: a list of that day does not answer what the later one says. */
const AS_OF = new Date('2025-01-15T00:00:00Z');

function bring(...features: ReturnType<typeof feature>[]) {
  const isDated = features.some(({ properties }) => '@timestamp' in properties);
  const collection = { type: 'FeatureCollection', features };
  return withFile(Buffer.from(JSON.stringify(collection)), (file) =>
    importAt(database, file, { source: 'geojson', ...(!isDated && { asOf: AS_OF }) }),
  );
}

test('a café that is mapped as a point and as a house is one place, which tells what both tell', async () => {
  const report = await importMap(database, '2025-01-01', BOTH);
  assert.deepEqual([report.joined, await cafes()], [1, ['node/1']]);
  const ada = await place('node/1');
  assert.deepEqual([ada['phone'], ada['website']], ['+376801000', 'https://ada.example']);
  const state = await directoryState(database);
  const again = await importMap(database, '2025-01-01', BOTH);
  assert.deepEqual([again.added, again.updated], [0, 0]);
  assert.equal(await directoryState(database), state);
});

test('the place lives on in whichever of its objects a later file holds, and stays one when both are back', async () => {
  await importMap(database, '2025-01-01', BOTH);
  const { id } = await place('node/1');
  const house = await importMap(database, '2025-02-01', { nodes: townOf(...corners), ways: [way] });
  assert.deepEqual([house.closed, house.added, await cafes()], [0, 0, ['way/7']]);
  assert.equal((await place('way/7'))['id'], id);
  const back = await importMap(database, '2025-03-01', BOTH);
  assert.deepEqual([back.added, await cafes()], [0, ['way/7']]);
  const disused = { ...way, tags: { name: 'Cafe ADA', 'disused:amenity': 'cafe' } };
  const out = await importMap(database, '2025-04-01', { nodes: townOf(ADA, ...corners), ways: [disused] });
  assert.deepEqual([out.closed, await cafes()], [0, ['node/1']]);
  assert.equal((await place('node/1'))['id'], id);
});

test('two records of one place from before become one, which is the one that its venue has claimed', async () => {
  const twin = { ...cafe(2, 'Ada’s', { phone: '+376 801 000' }), lat: ADA.lat + 0.0001 };
  await importMap(database, '2025-01-01', { nodes: townOf(ADA, twin) });
  const [first, second] = [(await place('node/1'))['id'], (await place('node/2'))['id']];
  await database.pool`update place set badge = 'claimed' where source_ref = 'node/2'`;
  const named = { ...twin, tags: { ...twin.tags, name: 'Café Ada' } };
  const report = await importMap(database, '2025-02-01', { nodes: townOf(ADA, named) });
  assert.deepEqual([report.joined, await cafes()], [1, ['node/2']]);
  assert.equal(await findMergedInto(database.pool, String(first)), second);
});

test('places that only look alike stay two: another kind, another house, branches of a chain, two stops of a line', async () => {
  const beside = (id: number, metres: number, tags: Record<string, string>) => ({
    ...ADA,
    id,
    lat: ADA.lat + metres / 111_195,
    tags: { ...ADA.tags, phone: '', ...tags },
  });
  const numbered = (node: MadeNode, number: string) => ({
    ...node,
    tags: { ...node.tags, 'addr:street': 'Carrer Major', 'addr:housenumber': number },
  });
  for (const [why, nodes] of [
    ['another kind', [ADA, beside(2, 5, { amenity: 'pharmacy' })]],
    ['another house', [numbered(ADA, '1'), numbered(beside(2, 20, {}), '9')]],
    ['a chain', [ADA, beside(2, 25, {}), { ...cafe(3, 'Café Ada'), lat: 42.55 }]],
    ['farther', [ADA, beside(2, 40, {})]],
    ['another name', [ADA, beside(2, 5, { name: 'Café Bea' })]],
  ] as const) {
    await database.pool`delete from place`;
    const report = await importMap(database, '2025-01-01', { nodes: townOf(...nodes) });
    assert.equal(report.joined, 0, why);
  }
});

test('a second source speaks of the place that is there: it fills what is empty and adds none', async () => {
  await importMap(database, '2025-01-01', { nodes: townOf(ADA, cafe(2, 'Bea')) });
  const near = { ...ADA, lat: ADA.lat + 0.0002 };
  const rows = [
    feature('x1', near, { phone: '+376 999 999', website: 'https://list.example/ada' }),
    feature('x2', cafe(3, 'Cleo')),
  ];
  const report = await bring(...rows);
  assert.deepEqual([report.matched, report.added, report.updated], [1, 1, 1]);
  const ada = await place('node/1');
  assert.deepEqual([ada['phone'], ada['website']], ['+376801000', 'https://list.example/ada']);
  const state = await directoryState(database);
  const again = await bring(...rows);
  assert.deepEqual([again.matched, again.added, again.updated], [1, 0, 0]);
  assert.equal(await directoryState(database), state);
  // The first source speaks again, and each keeps its own word.
  await importMap(database, '2025-02-01', { nodes: townOf(ADA, cafe(2, 'Bea')) });
  assert.equal((await place('node/1'))['website'], 'https://list.example/ada');
  // Values that the second source no longer states are removed.
  await bring(feature('x1', near), feature('x2', cafe(3, 'Cleo')));
  assert.equal((await place('node/1'))['website'], null);
});

test('a second source fills facts and kitchens that the place lacks, under its own name, and overwrites none', async () => {
  const map = { nodes: townOf({ ...ADA, tags: { ...ADA.tags, wheelchair: 'no' } }) };
  await importMap(database, '2025-01-01', map);
  const list = { wheelchair: 'yes', outdoor_seating: 'yes', 'diet:vegan': 'yes', cuisine: 'cake' };
  await bring(feature('x1', ADA, list));
  const told = async () => {
    const { facts, cuisine, filled_by } = await place('node/1');
    return { facts, cuisine, by: Object.keys(filled_by as object).sort() };
  };
  const full = {
    facts: { wheelchair: 'no', outdoor_seating: 'yes', diets: ['vegan'] },
    cuisine: ['cake'],
    by: ['cuisine', 'diets', 'outdoor_seating'],
  };
  assert.deepEqual(await told(), full);
  const { filled_by } = await place('node/1');
  assert.deepEqual((filled_by as Record<string, unknown>)['diets'], {
    ref: 'geojson',
    at: AS_OF.toISOString(),
  });
  const again = await bring(feature('x1', ADA, list));
  assert.equal(again.updated, 0);
  // The map speaks again: its own word of a fact takes the place of what was filled, and the rest stays.
  await importMap(database, '2025-02-01', map);
  assert.deepEqual(await told(), full);
  const seats = { ...ADA.tags, wheelchair: 'no', outdoor_seating: 'no' };
  await importMap(database, '2025-02-02', { nodes: townOf({ ...ADA, tags: seats }) });
  const facts = { ...full.facts, outdoor_seating: 'no' };
  assert.deepEqual(await told(), { ...full, facts, by: ['cuisine', 'diets'] });
  await bring(feature('x1', ADA, { wheelchair: 'yes' }));
  assert.deepEqual(await told(), { facts: { wheelchair: 'no', outdoor_seating: 'no' }, cuisine: [], by: [] });
});

test("the venue's values take precedence over a second source as over the first", async () => {
  await importMap(database, '2025-01-01', { nodes: townOf(ADA) });
  await database.pool`update place set badge = 'claimed' where source_ref = 'node/1'`;
  await said('node/1', 'owner', { phone: '+376801111' });
  await bring(feature('x1', ADA, { phone: '+376 999 999' }));
  assert.equal((await place('node/1'))['phone'], '+376801111');
});

test('a list made from the map names its object, and is that place though it has another name now', async () => {
  await importMap(database, '2025-01-01', { nodes: townOf(cafe(1, 'Rebranded')) });
  const report = await bring(feature('n1', cafe(1, 'Old Name'), { website: 'https://old.example' }));
  assert.deepEqual([report.matched, report.silent, report.added], [1, 1, 0]);
  const now = await place('node/1');
  assert.deepEqual([now['name'], now['website']], ['Rebranded', null]);
  await bring(feature('n1', cafe(1, 'Old Name'), { website: 'https://old.example' }));
  assert.equal((await place('node/1'))['website'], null);
});

test('two branches two hundred metres apart stay two, whichever source names them', async () => {
  const one = cafe(1, 'Star Coffee');
  const two = { ...cafe(2, 'Star Coffee'), lat: one.lat + 0.0018 };
  const third = { ...cafe(3, 'Star Coffee'), lat: one.lat + 0.0036 };
  await importMap(database, '2025-01-01', { nodes: townOf(one) });
  const report = await bring(feature('a', one), feature('b', two), feature('c', third));
  assert.deepEqual([report.matched, report.added], [1, 2]);
});

test('an old list does not bring back what has closed, nor open it again', async () => {
  await importMap(database, '2025-01-01', { nodes: townOf(ADA, cafe(2, 'Bea')) });
  await importMap(database, '2025-02-01', { nodes: townOf(cafe(2, 'Bea')) });
  const report = await bring(feature('x1', ADA));
  assert.deepEqual([report.added, report.matched, report.reopened], [0, 1, 0]);
  assert.notEqual((await place('node/1'))['closed_at'], null);
});

test('a place that its source dropped stays open while a younger second source has it, and closes after that', async () => {
  await importMap(database, '2025-01-01', { nodes: townOf(ADA, cafe(2, 'Bea')) });
  await bring(feature('x1', ADA, { '@timestamp': '2025-02-15T00:00:00Z' }));
  const first = await importMap(database, '2025-02-01', { nodes: townOf(cafe(2, 'Bea')) });
  assert.deepEqual([first.closed, first.elsewhere], [0, 1]);
  const second = await importMap(database, '2025-03-01', { nodes: townOf(cafe(2, 'Bea')) });
  assert.deepEqual([second.closed, second.elsewhere], [1, 0]);
  assert.equal((await evidence('node/1')).length, 1);
});

test('thousands of doubled objects in one file are joined, in however many batches their pairs are compared', async () => {
  const nodes: MadeNode[] = Array.from({ length: 1_200 }, (_, at) => [
    { id: at * 2 + 1, lat: 42.1 + at / 2_000, lng: 1.5, tags: { amenity: 'cafe', name: `Table ${at}` } },
    {
      id: at * 2 + 2,
      lat: 42.1 + at / 2_000,
      lng: 1.50002,
      tags: { amenity: 'cafe', name: `Table ${at}`, cuisine: 'tapas' },
    },
  ]).flat();
  const report = await importMap(database, '2025-01-01', { nodes });
  assert.deepEqual([report.joined, report.added], [1_200, 1_200]);
  const [fuller] = await database.pool<{ count: number }[]>`
    select count(*)::int as count from place where cuisine = '{tapas}'`;
  assert.equal(fuller?.count, 1_200);
});
