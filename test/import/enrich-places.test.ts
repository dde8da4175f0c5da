import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { optOut } from '../../src/bookings/answering/opt-out.ts';
import { enrichPlaces, type EnrichReport } from '../../src/import/enrich-places.ts';
import { ImportFileError } from '../../src/import/import-file-error.ts';
import { createTestDatabase, type TestDatabase } from '../harness/service/database.ts';
import { directoryState, importMap, NOW, seconds } from './import-directory.ts';
import { withFile } from './readers/read-all.ts';

const changed = seconds('2024-11-01');
const ADA = {
  ...{ id: 1, lat: 43.7396, lng: 7.4272, changed },
  tags: { amenity: 'restaurant', name: 'Le Bistrot d’Ada' },
};
const BEA = {
  ...{ id: 2, lat: 43.7312, lng: 7.4197, changed },
  tags: { amenity: 'cafe', name: 'Café Béatrice' },
};
const ROW = {
  name: "Le bistrot d'Ada",
  lat: 43.73965,
  lng: 7.42715,
  rating: 4.4,
  review_count: 210,
  price_range: '€€',
  price_line: {
    text: 'Menu du jour 24 €',
    read_at: '2025-02-10T00:00:00Z',
    source_url: 'https://ada.example/menu',
  },
  website: 'https://ada.example/',
  booking_url: 'https://www.sevenrooms.com/reservations/ada',
};

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());
beforeEach(async () => {
  await database.pool`delete from place`;
  await database.pool`delete from import_area`;
  const { added } = await importMap(database, '2025-01-01', { nodes: [ADA, BEA] });
  assert.equal(added, 2);
});

function enrich(content: string): Promise<EnrichReport> {
  return withFile(content, (file) =>
    enrichPlaces(database.pool, { file, now: NOW, progress: () => () => undefined }),
  );
}

const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

async function ada(): Promise<Record<string, unknown>> {
  const [row] = await database.pool<Record<string, unknown>[]>`
    select rating::float8 as rating, review_count, price_range, price_line, website, booking_url, booking_method,
      booking_platform from place where source_ref = 'node/1'`;
  return { ...row };
}

const ENRICHED = {
  rating: 4.4,
  review_count: 210,
  price_range: '€€',
  price_line: ROW.price_line,
  website: ROW.website,
  booking_url: ROW.booking_url,
  booking_method: 'venue_system',
  booking_platform: 'sevenrooms',
};

test('a row is matched to the held place by name and distance, and adds what it knows', async () => {
  const elsewhere = { ...ROW, name: 'Hôtel Inconnu', lat: 43.735 };
  const report = await enrich(lines(ROW, elsewhere, { name: 'No position' }));
  assert.deepEqual(report, { read: 3, unusable: 1, matched: 1, unmatched: 1, ambiguous: 0, updated: 1 });
  assert.deepEqual(await ada(), ENRICHED);
});

test('the same rows again change nothing, and a newer import of the map loses none of it', async () => {
  await enrich(lines(ROW));
  const state = await directoryState(database);
  assert.equal((await enrich(lines(ROW))).updated, 0);
  assert.equal(await directoryState(database), state);
  const { updated } = await importMap(database, '2025-02-01', { nodes: [ADA, BEA] });
  assert.equal(updated, 0);
  assert.deepEqual(await ada(), ENRICHED);
});

test('newer rows replace what older ones said, but not what the map or the venue says', async () => {
  await enrich(lines(ROW));
  await enrich(lines({ ...ROW, website: 'https://new.example/', rating: 4.1 }));
  const newer = await ada();
  assert.deepEqual([newer['website'], newer['rating']], ['https://new.example/', 4.1]);
  const [row] = await database.pool<{ id: string }[]>`select id from place where source_ref = 'node/1'`;
  await database.pool.begin((tx) => optOut(tx, NOW, row?.id ?? ''));
  await enrich(lines({ ...ROW, booking_url: 'https://www.exploretock.com/ada' }));
  const chosen = await ada();
  assert.deepEqual([chosen['booking_method'], chosen['booking_url']], ['not_through', ROW.booking_url]);
});

test('GeoJSON is understood as well', async () => {
  const { lat, lng, ...properties } = ROW;
  const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [lng, lat] }, properties };
  const report = await enrich(JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
  assert.deepEqual([report.read, report.matched, report.updated], [1, 1, 1]);
  assert.deepEqual(await ada(), ENRICHED);
});

test('a row that fits two places equally is a guess, and is left out', async () => {
  await database.pool`delete from place`;
  await database.pool`delete from import_area`;
  const twin = { ...ADA, id: 3, lng: ADA.lng + 0.0006 };
  await importMap(database, '2025-01-01', { nodes: [ADA, twin] });
  const { name, rating } = ROW;
  const report = await enrich(lines({ name, rating, lat: ADA.lat, lng: ADA.lng + 0.0003 }));
  assert.deepEqual([report.matched, report.ambiguous], [0, 1]);
});

test('a broken line is named, and nothing was written', async () => {
  const state = await directoryState(database);
  await assert.rejects(enrich(`${JSON.stringify(ROW)}\n{"name": "Ada`), (error: unknown) => {
    assert.ok(error instanceof ImportFileError);
    assert.match(error.message, /line 2 cannot be read/);
    return true;
  });
  assert.equal(await directoryState(database), state);
});
