import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ImportFileError } from '../../../src/import/import-file-error.ts';
import { openOsm } from '../../../src/import/osm/osm-reader.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.ts';
import { directoryState, importAt } from '../import-directory.ts';
import { readAll, withFile } from '../readers/read-all.ts';

const MONACO = join(import.meta.dirname, '../../../maps/monaco.osm.pbf');
/** Where visitors find them, by any guide to the city. */
const SIGHTS = [
  { name: /^Musée océanographique/i, lat: 43.7308, lng: 7.4254 },
  { name: /^Hôtel de Paris/, lat: 43.7391, lng: 7.4273 },
  { name: /Hermitage/, lat: 43.7376, lng: 7.4257 },
];
/** Some 150 metres. */
const NEAR_DEGREES = 0.0015;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

test('the real map of Monaco is read whole, with its date and its named places', async () => {
  const { places, counts, extractedAt } = await readAll(await openOsm(MONACO));
  assert.equal(counts.places, places.length);
  assert.ok(places.length >= 425, String(places.length));
  assert.equal(new Set(places.map(({ source_ref }) => source_ref)).size, places.length);
  assert.equal(extractedAt?.toISOString(), '2025-02-11T21:21:02.000Z');
});

test('the directory then has the sights of Monaco where visitors find them', async () => {
  const report = await importAt(database, MONACO, { autoDestinations: true });
  assert.equal(report.added + report.joined + report.outside + report.read.closed, report.read.places);
  const stored = await database.pool<{ name: string; lat: number; lng: number }[]>`
    select name, lat, lng from place where closed_at is null`;
  for (const sight of SIGHTS)
    assert.ok(
      stored.some((place) => sight.name.test(place.name) && isNear(place, sight)),
      String(sight.name),
    );
});

test('a second import of the real map changes nothing', async () => {
  const state = await directoryState(database);
  const again = await importAt(database, MONACO, { now: new Date('2025-03-20T00:00:00Z') });
  const { added, updated, closed, reopened, redrawn } = again;
  assert.deepEqual([added, updated, closed, reopened, redrawn], [0, 0, 0, 0, 0]);
  assert.equal(await directoryState(database), state);
});

test('half of the real map is refused and leaves the directory as it was', async () => {
  const state = await directoryState(database);
  const whole = await readFile(MONACO);
  await withFile(whole.subarray(0, whole.length / 2), (half) =>
    assert.rejects(importAt(database, half), ImportFileError),
  );
  assert.equal(await directoryState(database), state);
});

function isNear(a: { lat: number; lng: number }, b: { lat: number; lng: number }): boolean {
  return Math.abs(a.lat - b.lat) < NEAR_DEGREES && Math.abs(a.lng - b.lng) < NEAR_DEGREES;
}
