import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMergedInto } from '../../../src/directory/place/merge-places.ts';
import { directoryState, importAt, importMap, NOW, seconds, UNDATED } from '../import-directory.ts';
import { cafe, database, evidence, place, townOf } from '../made-town.ts';
import { withFile } from '../readers/read-all.ts';
import type { MadeNode } from '../readers/write-osm-pbf.ts';

const TOWN = { west: 1.4, south: 42.4, east: 1.6, north: 42.6 };
const ROW = 20;

/** A town of 400 cafés, one every two hundred metres. The number of the row counts northwards. */
const CAFES: MadeNode[] = Array.from({ length: ROW * ROW }, (_, at) => ({
  id: at + 1,
  lat: 42.48 + 0.002 * Math.floor(at / ROW),
  lng: 1.48 + 0.002 * (at % ROW),
  tags: { amenity: 'cafe', name: `Café ${at + 1}` },
}));
/** Well inside the town, and no two of them side by side. */
const SCATTERED = CAFES.filter((_, at) => {
  const [row, column] = [Math.floor(at / ROW), at % ROW];
  return row % 3 === 1 && column % 2 === 1 && [row, column].every((side) => side > 2 && side < 16);
});

function without(gone: readonly MadeNode[]): MadeNode[] {
  return CAFES.filter((node) => !gone.includes(node));
}

async function openPlaces(): Promise<number> {
  const [row] = await database.pool<{ open: number }[]>`
    select count(*)::int as open from place where closed_at is null`;
  return row?.open ?? 0;
}

test('an extract that covers less closes nothing outside of what it holds, whatever its header says', async () => {
  await importMap(database, '2025-01-01', { nodes: CAFES, box: TOWN });
  const [vanished] = SCATTERED;
  assert.ok(vanished);
  // The cut runs aslant, and a house that it runs through is held with its centre beyond.
  const inside = without([vanished]).filter(({ lat, lng }) => lat - 42.48 + (lng - 1.48) < 0.044);
  const corners = [0, 1, 2].map((at) => ({ id: 5000 + at, lat: 42.508 + at / 1000, lng: 1.504 + at / 1000 }));
  const across = { id: 9, refs: [5000, 5001, 5002], tags: { amenity: 'restaurant', name: 'Across' } };
  assert.ok(inside.length > 200 && inside.length < 300, String(inside.length));
  for (const [day, box] of [
    ['2025-01-02', TOWN],
    ['2025-01-03', undefined],
  ] as const) {
    const part = { nodes: [...inside, ...corners], ways: [across], ...(box && { box }) };
    await importMap(database, day, part);
    // All but the one that vanished, and the new house.
    assert.equal(await openPlaces(), CAFES.length);
    assert.equal((await evidence(`node/${vanished.id}`)).length, 1);
  }
  const full = await importMap(database, '2025-01-03', { nodes: [...CAFES, ...corners], ways: [across] });
  assert.deepEqual([full.reopened, await openPlaces()], [1, CAFES.length + 1]);
});

test('stations beyond the cut, which come with the routes that they are on, tell nothing of what lies there', async () => {
  for (const tags of [{ amenity: 'bus_station' }, { railway: 'station' }, { aerialway: 'station' }]) {
    await database.pool`delete from place`;
    await database.pool`delete from import_area`;
    const stops = Array.from({ length: 20 }, (_, at) => ({
      ...{ id: 6000 + at, lat: 42.521, lng: 1.48 + at / 500 },
      tags: { name: `Stop ${at}`, ...tags },
    }));
    await importMap(database, '2025-01-01', { nodes: [...CAFES, ...stops] });
    const held = CAFES.filter(({ lat }) => lat < 42.507);
    const part = await importMap(database, '2025-01-02', { nodes: [...held, ...stops] });
    assert.deepEqual([part.closed, await openPlaces()], [0, CAFES.length + stops.length]);
  }
});

test('a place outside the box of the header is not closed, though the file holds others all around it', async () => {
  const [south, north] = [SCATTERED.at(0), SCATTERED.at(-1)];
  assert.ok(south && north && south.lat < 42.49 && north.lat > 42.49);
  await importMap(database, '2025-01-01', { nodes: CAFES, box: TOWN });
  const report = await importMap(database, '2025-01-02', {
    nodes: without([south, north]),
    box: { ...TOWN, south: 42.49 },
  });
  assert.deepEqual([report.closed, report.beyond], [1, 1]);
  assert.equal((await place(`node/${south.id}`))['closed_at'], null);
});

test('more than 2 % and more than 20 closures in one destination stop the import, unless they are confirmed', async () => {
  await importMap(database, '2025-01-01', { nodes: CAFES });
  const state = await directoryState(database);
  const added = { ...cafe(7000, 'New'), lat: 42.5 };
  const lacking = { nodes: [...without(SCATTERED.slice(0, 21)), added] };
  await assert.rejects(importMap(database, '2025-02-01', lacking), (error: Error) => {
    assert.equal(error.name, 'ImportFileError');
    assert.match(error.message, /Nothing was changed\./);
    assert.match(error.message, /^ {2}town: 21 of 401 \(5\.2 %\), such as Café \d+ \(node\/\d+\), /m);
    assert.match(error.message, /--confirm-closures/);
    return true;
  });
  assert.equal(await directoryState(database), state);

  const few = await importMap(database, '2025-02-01', { nodes: without(SCATTERED.slice(0, 20)) });
  assert.equal(few.closed, 20);
  const confirmed = await importMap(
    database,
    '2025-02-02',
    { nodes: without(SCATTERED) },
    { confirmClosures: true },
  );
  assert.equal(confirmed.closed, SCATTERED.length - 20);
});

test('a file that ends between two blocks closes nothing that comes after its end', async () => {
  const houses = SCATTERED.slice(0, 5).map(({ lat, lng }, at) => ({
    corner: { id: 8000 + at, lat: lat + 0.001, lng },
    way: { id: at + 1, refs: [8000 + at], tags: { amenity: 'restaurant', name: `House ${at}` } },
  }));
  const nodes = [...CAFES, ...houses.map(({ corner }) => corner)];
  const [first] = SCATTERED;
  const whole = { nodes, ways: houses.map(({ way }) => way) };
  await importMap(database, '2025-01-01', whole);
  const short = { nodes: nodes.filter((node) => node !== first), ways: whole.ways.slice(0, 2) };
  const report = await importMap(database, '2025-02-01', short);
  assert.deepEqual([report.closed, report.beyond], [1, 3]);
  assert.equal((await evidence(`node/${first?.id ?? ''}`)).length, 1);
  assert.equal((await place('way/5'))['closed_at'], null);
  const full = await importMap(database, '2025-03-01', whole);
  assert.deepEqual([full.reopened, await openPlaces()], [1, CAFES.length + 5]);
});

test('a file without a date closes as of its newest edit, and what a newer one has again is open', async () => {
  await importMap(database, '2025-01-01', { nodes: CAFES });
  const edited = { ...cafe(7000, 'New'), lat: 42.5, changed: seconds('2025-01-20') };
  const undated = await importMap(
    database,
    UNDATED,
    { nodes: [...without(SCATTERED), edited] },
    { confirmClosures: true },
  );
  assert.deepEqual([undated.extractedAt, undated.closed], [null, SCATTERED.length]);
  const gone = await place(`node/${SCATTERED[0]?.id ?? 0}`);
  assert.deepEqual(gone['closed_at'], new Date('2025-01-20T00:00:00Z'));
  const older = await importMap(database, '2024-12-01', { nodes: SCATTERED });
  assert.equal(older.reopened, 0);
  const full = await importMap(database, '2025-01-21', { nodes: [...CAFES, edited] });
  assert.deepEqual([full.reopened, await openPlaces()], [SCATTERED.length, CAFES.length + 1]);
});

test('an object that lost its name or is of another kind now is not closed; one that is called vacant is', async () => {
  const cafes = [1, 2, 3, 4, 5].map((id) => cafe(id, `Café ${id}`));
  await importMap(database, '2025-01-01', { nodes: townOf(...cafes) });
  const retagged = [{ amenity: 'cafe' }, { office: 'company', name: 'Café 2' }, {}, { shop: 'vacant' }];
  const nodes = retagged.map((tags, at) => ({ ...cafe(at + 1, ''), tags: tags }));
  const report = await importMap(database, '2025-02-01', { nodes: townOf(...nodes) });
  assert.deepEqual([report.retagged, report.closed], [3, 2]);
  for (const ref of ['node/1', 'node/2', 'node/3']) {
    assert.equal((await place(ref))['closed_at'], null, ref);
    assert.deepEqual(await evidence(ref), [], ref);
  }
  assert.equal((await evidence('node/4'))[0]?.['note'], 'Marked as disused in the map.');
  assert.equal((await evidence('node/5'))[0]?.['note'], 'No longer in the map extract of 2025-02-01.');
});

test('of two records of one place the one that left the map is merged into the other, and its id leads on', async () => {
  const kept = cafe(1, 'Café Ada');
  const twin = { ...cafe(2, 'CAFE ADA'), lat: kept.lat + 0.0002 };
  const namesake = { ...cafe(3, 'Café Ada'), lat: kept.lat + 0.0006 };
  await importMap(database, '2025-01-01', { nodes: townOf(kept, twin, namesake) });
  const [keptId, twinId] = [(await place('node/1'))['id'], String((await place('node/2'))['id'])];
  const report = await importMap(database, '2025-02-01', { nodes: townOf(kept) });
  assert.deepEqual([report.twins, report.closed], [1, 1]);
  assert.equal(await findMergedInto(database.pool, twinId), keptId);
  assert.equal((await evidence('node/3')).length, 1);
  const again = await importMap(database, '2025-03-01', { nodes: townOf(kept, twin) });
  assert.equal(again.added, 0);
});

test('the same holds for GeoJSON: beyond its edge and without a name is no closure', async () => {
  const collection = (nodes: readonly MadeNode[]) => ({
    type: 'FeatureCollection',
    features: nodes.map(({ id, lat, lng, tags }) => ({
      type: 'Feature',
      id: `n${id}`,
      geometry: { type: 'Point', coordinates: [lng, lat] },
      properties: tags,
    })),
  });
  const bring = (nodes: readonly MadeNode[]) =>
    withFile(Buffer.from(JSON.stringify(collection(nodes))), (file) =>
      importAt(database, file, { source: 'geojson', asOf: NOW }),
    );
  await bring(CAFES);
  const [gone, unnamed] = SCATTERED;
  assert.ok(gone && unnamed);
  const half = without([gone, unnamed]).filter(({ lat }) => lat < 42.505);
  const report = await bring([...half, { ...unnamed, tags: { amenity: 'cafe' } }]);
  assert.deepEqual([report.closed, report.retagged], [1, 1]);
  assert.equal(report.beyond, CAFES.length - half.length - 2);
  assert.equal((await evidence(`node/${gone.id}`)).length, 1);
});

test('an older extract is refused in words and changes nothing', async () => {
  const town = { nodes: townOf(cafe(1, 'Ada'), cafe(2, 'Bea')) };
  await importMap(database, '2025-02-01', town);
  const state = await directoryState(database);
  await assert.rejects(
    importMap(database, '2025-01-01', { nodes: townOf(cafe(1, 'Ada')) }),
    /is of 2025-01-01, but the directory already has the extract of 2025-02-01\. Nothing was changed\.$/,
  );
  assert.equal(await directoryState(database), state);
});
