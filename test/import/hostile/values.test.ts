import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportLines } from '../../../src/import/import-report.ts';
import { importAt, importMap, seconds } from '../import-directory.ts';
import { cafe, database, place, townOf } from '../made-town.ts';
import { withFile } from '../readers/read-all.ts';

const LONG = `${'Grand '.repeat(60)}Café`;
const ENDLESS = 'a'.repeat(100_000);

test('dates that cannot be true are ignored, named and counted, and the rest is imported', async () => {
  const absurd = [9e12, -5e12, seconds('2999-01-01')];
  const cafes = absurd.map((changed, at) => ({ ...cafe(at + 1, `Café ${at}`), changed }));
  const report = await importMap(database, '2025-01-01', { nodes: townOf(...cafes, cafe(9, 'Zoé')) });
  assert.equal(report.dates.count, 3);
  assert.match(reportLines(report).join('\n'), /Dates were ignored at: node\/1, node\/2, node\/3\./);
  assert.match(reportLines(report).join('\n'), /impossible dates, ignored +3/);
  for (const id of [1, 2, 3])
    assert.deepEqual((await place(`node/${id}`))['observed_at'], new Date('2025-01-01T00:00:00Z'));
});

test('a map whose own date has not come is dated by its newest edit', async () => {
  for (const day of ['2999-01-01', '9999-12-31']) {
    const report = await importMap(database, day, { nodes: townOf(cafe(1, 'Ada')) });
    assert.equal(report.extractedAt, null);
    assert.deepEqual(report.asOf, new Date('2024-11-01T00:00:00Z'));
  }
});

test('a GeoJSON feature with an absurd date is taken without it', async () => {
  const features = ['9999999999', '2999-01-01', '+275760-09-13T00:00:00Z'].map((timestamp, at) => ({
    type: 'Feature',
    id: `n${at + 1}`,
    geometry: { type: 'Point', coordinates: [1.5, 42.5 + at / 1000] },
    properties: { amenity: 'cafe', name: `Café ${at}`, '@timestamp': timestamp },
  }));
  const text = JSON.stringify({ type: 'FeatureCollection', timestamp: '2025-01-01T00:00:00Z', features });
  const report = await withFile(Buffer.from(text), (file) => importAt(database, file, { source: 'geojson' }));
  assert.equal(report.added, 3);
  assert.equal(report.dates.count, 2);
});

test('names and addresses of a map are cut at a word, and the report names where', async () => {
  const tags = {
    'name:en': LONG,
    alt_name: LONG,
    'addr:street': LONG,
    'addr:city': LONG,
    'addr:suburb': LONG,
  };
  const report = await importMap(database, '2025-01-01', { nodes: townOf(cafe(1, LONG, tags)) });
  const { name, names, address, city, area } = await place('node/1');
  assert.equal(name, 'Grand '.repeat(33).trim());
  for (const one of Object.values(names as object)) assert.equal(one, name);
  assert.equal(address, 'Grand '.repeat(50).trim());
  assert.deepEqual([city, area], [name, name]);
  assert.match(reportLines(report).join('\n'), /texts shortened to their limits +[1-9]/);
  assert.match(reportLines(report).join('\n'), /Texts were shortened at: node\/1 \(name\)/);
});

test('a name without an end costs no more than its limit, whatever else it stands in', async () => {
  const tags = Object.fromEntries(
    ['alt_name', 'opening_hours', 'phone', 'website', 'cuisine', 'addr:full', 'description', 'was:name'].map(
      (key) => [key, ENDLESS],
    ),
  );
  const report = await importMap(database, '2025-01-01', { nodes: townOf(cafe(1, ENDLESS, tags)) });
  assert.equal(report.added, 13);
  const row = await place('node/1');
  assert.equal((row['name'] as string).length, 200);
  for (const [column, value] of Object.entries(row))
    assert.ok(JSON.stringify(value ?? '').length < 6_000, column);
});

test('the database refuses a longer text under a name of its own', async () => {
  await importMap(database, '2025-01-01', { nodes: townOf(cafe(1, 'Ada')) });
  for (const [column, value] of [
    ['name', 'x'.repeat(201)],
    ['latin_name', 'x'.repeat(201)],
    ['names', JSON.stringify({ en: 'x'.repeat(201) })],
    ['address', 'x'.repeat(301)],
    ['about', 'x'.repeat(5_001)],
  ] as const)
    await assert.rejects(
      database.pool.unsafe(`update place set ${column} = $1 where source_ref = 'node/1'`, [value]),
      new RegExp(`place_${column}_length`),
    );
});

test('an object beyond the poles is left out', async () => {
  const beyond = { id: 5, lat: 420, lng: 1.5, tags: { amenity: 'cafe', name: 'Nowhere' } };
  const report = await importMap(database, '2025-01-01', { nodes: townOf(cafe(1, 'Ada'), beyond) });
  assert.equal(report.read.without_position, 1);
});
