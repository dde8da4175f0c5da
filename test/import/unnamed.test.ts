import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importMap, seconds } from './import-directory.ts';
import { addDestination, database, place, said, townOf } from './made-town.ts';
import type { MadeMap, MadeNode } from './readers/write-osm-pbf.ts';

/** An object in the middle of the town. */
function object(id: number, tags: Record<string, string>, lat = 42.505 + id / 1e6): MadeNode {
  return { id, lat, lng: 1.5, tags, changed: seconds('2024-11-01') };
}

const QUARTER: MadeNode = {
  id: 800,
  lat: 42.505,
  lng: 1.5,
  tags: { place: 'village', name: 'Poble', 'name:de': 'Dorf' },
};

function mapOf(...objects: MadeNode[]): MadeMap {
  return { nodes: townOf(QUARTER, ...objects) };
}

async function stored(): Promise<Record<string, string>> {
  const rows = await database.pool<{ source_ref: string; name: string }[]>`
    select source_ref, name from place where name_generated and closed_at is null order by source_ref`;
  return Object.fromEntries(rows.map(({ source_ref, name }) => [source_ref, name]));
}

test('Things that are useful without a name are kept: by brand, by operator, or else by kind and area.', async () => {
  await importMap(
    database,
    '2025-01-01',
    mapOf(
      object(1, { amenity: 'toilets' }),
      object(2, { amenity: 'atm', operator: 'Crèdit Andorrà' }),
      object(3, { amenity: 'fuel', brand: 'BP', operator: 'Somebody' }),
      object(4, { amenity: 'fountain', drinking_water: 'yes' }),
      object(5, { amenity: 'parking', access: 'private' }),
      object(6, { amenity: 'parking', parking: 'street_side' }),
      object(7, { amenity: 'restaurant' }),
      object(8, { shop: 'supermarket', brand: 'Spar' }),
      object(9, { amenity: 'parking', access: 'customers' }),
      object(10, { amenity: 'parking', access: 'private', name: 'Residents only' }),
    ),
  );
  assert.deepEqual(await stored(), {
    'node/1': 'Public toilet, Poble',
    'node/2': 'Crèdit Andorrà',
    'node/3': 'BP',
    'node/4': 'Drinking water, Poble',
    'node/8': 'Spar',
    'node/9': 'Car park, Poble',
  });
  assert.deepEqual((await place('node/4'))['categories'], ['drinking_water', 'fountain']);
  assert.equal((await database.pool`select 1 from place where name = 'Residents only'`).length, 0);
});

test('Different objects without a name stay apart, however near they are, and a second import changes nothing.', async () => {
  const bench = { amenity: 'atm', operator: 'Bank' };
  const map = mapOf(
    ...[1, 2, 3].map((id) => object(id, { amenity: 'toilets' })),
    ...[4, 5].map((id) => object(id, bench)),
    ...[6, 7].map((id) => object(id, { amenity: 'fuel', brand: 'BP', 'brand:wikidata': 'Q152057' })),
  );
  const first = await importMap(database, '2025-01-01', map);
  assert.equal(first.joined, 0);
  assert.equal(Object.keys(await stored()).length, 7);
  const { added, updated, closed, joined, twins, redrawn } = await importMap(database, '2025-01-02', map);
  assert.deepEqual([added, updated, closed, joined, twins, redrawn], [0, 0, 0, 0, 0, 0]);
});

test('A name that appears later replaces the generated one, and the id stays; without it the kind is the name again.', async () => {
  await importMap(database, '2025-01-01', mapOf(object(1, { amenity: 'toilets' })));
  const before = await place('node/1');
  assert.deepEqual([before['name'], before['name_generated']], ['Public toilet, Poble', true]);
  await importMap(database, '2025-02-01', mapOf(object(1, { amenity: 'toilets', name: 'Lavabos del Parc' })));
  const named = await place('node/1');
  assert.deepEqual(
    [named['id'], named['name'], named['name_generated']],
    [before['id'], 'Lavabos del Parc', false],
  );
  await importMap(database, '2025-02-02', mapOf(object(1, { amenity: 'toilets' })));
  const after = await place('node/1');
  assert.deepEqual(
    [after['id'], after['name'], after['name_generated']],
    [before['id'], 'Public toilet, Poble', true],
  );
});

test("The venue's own name for itself stays, whatever the map says.", async () => {
  const pharmacy = { amenity: 'pharmacy' };
  await importMap(database, '2025-01-01', mapOf(object(1, pharmacy)));
  await said('node/1', 'owner', { name: 'Farmàcia Ada' });
  const claimed = await place('node/1');
  assert.deepEqual([claimed['name'], claimed['name_generated']], ['Farmàcia Ada', false]);
  await importMap(database, '2025-01-02', mapOf(object(1, pharmacy)));
  const after = await place('node/1');
  assert.deepEqual([after['name'], after['name_generated']], ['Farmàcia Ada', false]);
  const claims = after['field_claims'] as { name?: { by: string }[] };
  assert.deepEqual(
    claims.name?.map(({ by }) => by),
    ['owner'],
  );
});

test('An unnamed place with a claim on another field keeps a generated name, which follows the map.', async () => {
  await importMap(database, '2025-01-01', mapOf(object(1, { amenity: 'pharmacy' })));
  await said('node/1', 'agent', { phone: '+376800800' });
  await importMap(database, '2025-01-02', mapOf(object(1, { amenity: 'pharmacy', operator: 'Ada' })));
  const after = await place('node/1');
  assert.deepEqual([after['name'], after['name_generated'], after['phone']], ['Ada', true, '+376800800']);
  await importMap(database, '2025-01-03', mapOf(object(1, { amenity: 'pharmacy', name: 'Farmàcia Bona' })));
  const named = await place('node/1');
  assert.deepEqual([named['name'], named['name_generated']], ['Farmàcia Bona', false]);
});

test('A place that vanished is closed even beside another of its kind, and one that was replaced nearby keeps its id.', async () => {
  const toilets = { amenity: 'toilets' };
  await importMap(database, '2025-01-01', mapOf(object(1, toilets), object(2, toilets)));
  const gone = await place('node/1');
  const closing = await importMap(database, '2025-01-02', mapOf(object(2, toilets)));
  assert.deepEqual([closing.closed, closing.twins, closing.redrawn], [1, 0, 0]);
  assert.ok((await place('node/1'))['closed_at'] !== null);
  const back = await importMap(database, '2025-01-03', mapOf(object(1, toilets), object(2, toilets)));
  assert.equal(back.reopened, 1);
  assert.equal((await place('node/1'))['id'], gone['id']);
  const drawn = await importMap(
    database,
    '2025-01-04',
    mapOf(object(2, toilets), object(3, toilets, 42.5051)),
  );
  assert.deepEqual([drawn.redrawn, drawn.closed, drawn.added], [1, 0, 0]);
  assert.equal((await place('node/3'))['id'], gone['id']);
});

test('A settlement with nothing but unnamed things does not become a destination.', async () => {
  const rock: MadeNode = { id: 700, lat: 41.2, lng: 2.2, tags: { place: 'town', name: 'Rock' } };
  const view = object(1, { tourism: 'viewpoint' }, 41.2);
  const map: MadeMap = { nodes: [...townOf(QUARTER), rock, { ...view, lng: 2.2 }] };
  const { destinations } = await importMap(database, '2025-01-01', map, { autoDestinations: true });
  assert.equal(destinations, 0);
  assert.deepEqual(await stored(), {});
});

test('Levels whose names people use become areas, by country.', async () => {
  await addDestination('male', { west: 72, south: 3, east: 74, north: 5 });
  const square = (
    id: number,
    south: number,
    west: number,
    size: number,
    tags: Record<string, string>,
  ): MadeMap => {
    const nodes = [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
    ].map(([lng = 0, lat = 0], at) => ({ id: id * 10 + at, lat, lng }));
    const refs = [...nodes, nodes[0]].map((node) => node?.id ?? 0);
    const boundary = { type: 'boundary', boundary: 'administrative', ...tags };
    return {
      nodes,
      ways: [{ id, refs }],
      relations: [{ id, members: [['way', id, 'outer']], tags: boundary }],
    };
  };
  const maps = [
    square(500, 4.1, 73.4, 0.3, { admin_level: '4', name: 'Kaafu Atoll' }),
    square(600, 4.15, 73.45, 0.1, { admin_level: '5', name: 'Malé City' }),
    // Unused in the Maldives.
    square(700, 4.05, 73.35, 0.5, { admin_level: '3', name: 'Upper Region' }),
  ];
  const cafe = {
    id: 1,
    lat: 4.2,
    lng: 73.5,
    tags: { amenity: 'cafe', name: 'Ada' },
    changed: seconds('2024-11-01'),
  };
  await importMap(database, '2025-01-01', {
    nodes: [...maps.flatMap(({ nodes = [] }) => nodes), cafe],
    ways: maps.flatMap(({ ways = [] }) => ways),
    relations: maps.flatMap(({ relations = [] }) => relations),
  });
  assert.deepEqual((await place('node/1'))['areas'], ['Malé City', 'Kaafu Atoll']);
});
