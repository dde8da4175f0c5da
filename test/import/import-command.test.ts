import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../harness/service/database.ts';
import { directoryState, seconds } from './import-directory.ts';
import { writeOsmPbf } from './readers/write-osm-pbf.ts';
import { waypostHere } from '../backup/commands.ts';

const CLI = join(import.meta.dirname, '../../src/cli.ts');
const MAP = writeOsmPbf({
  nodes: [
    { id: 1, lat: 43.7396, lng: 7.4272, tags: { amenity: 'cafe', name: 'Café Ada', phone: '12 34' } },
    { id: 2, lat: 10, lng: -150, tags: { amenity: 'cafe', name: 'Far away' } },
  ],
  extracted: seconds('2025-01-01'),
});

let database: TestDatabase;
let folder = '';
before(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'waypost-command-'));
});
after(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

interface Outcome {
  code: number;
  out: string;
  error: string;
}

function waypost(...args: string[]): Promise<Outcome> {
  // Run in a folder of its own, so that no .env file has a say.
  const options = { cwd: folder, env: { ...process.env, DATABASE_URL: database.url } };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], options, (error, out, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, error: stderr });
    });
  });
}

/** The same without a process of its own. */
function waypostIn(...args: string[]): Promise<Outcome> {
  return waypostHere(args, { DATABASE_URL: database.url, DATA_DIR: folder });
}

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

test('the command shows its progress and ends with the figures', async () => {
  const { code, out, error } = await waypostIn(
    'import',
    'osm',
    await file('a.osm.pbf', MAP),
    '--auto-destinations',
  );
  assert.equal(code, 0, error);
  assert.match(out, /Places: [\d,]+ of [\d,]+/);
  assert.match(out, /Imported the extract of 2025-01-01\./);
  for (const figure of [
    /^ {2}read +2$/m,
    /^ {2}new +1$/m,
    /^ {2}updated +0$/m,
    /^ {2}outside destinations +1$/m,
    /^ {2}phones as published +1$/m,
    /^ {2}hours not understood +0$/m,
    /^Written to the database \S+ at 127\.0\.0\.1:\d+, on which no service is running\.$/m,
    /^Searches find the places once a service starts on it\./m,
  ])
    assert.match(out, figure);
});

test('a broken file ends with one sentence and the code 1, and the directory is as it was', async () => {
  const state = await directoryState(database);
  const cut = await file('cut.osm.pbf', MAP.subarray(0, MAP.length - 20));
  const wrong = await file('wrong.parquet', '{"type":"FeatureCollection","features":[]}');
  for (const args of [
    ['osm', cut],
    ['overture', wrong],
    ['geojson', cut],
    ['osm', join(folder, 'missing.osm.pbf')],
    ['enrich', cut],
  ]) {
    const { code, error } = await waypostIn('import', ...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(error, /^[^\n]+\.\n$/, args.join(' '));
  }
  const { code, error } = await waypost('import', 'osm', cut);
  assert.equal(code, 1);
  assert.match(error, /^[^\n]+\.\n$/);
  assert.equal(await directoryState(database), state);
});

test('an import that would close too much ends with the code 1 and says what to do, and --confirm-closures does it', async () => {
  const cafes = Array.from({ length: 400 }, (_, at) => ({
    id: 1000 + at,
    lat: 43.73 + 0.0005 * Math.floor(at / 20),
    lng: 7.42 + 0.0005 * (at % 20),
    tags: { amenity: 'cafe', name: `Café ${at}` },
  }));
  const fewer = cafes.filter((_, at) => at % 4 !== 1 || at < 100 || at > 300);
  const [all, some] = [
    await file('all.osm.pbf', writeOsmPbf({ nodes: cafes, extracted: seconds('2025-01-02') })),
    await file('some.osm.pbf', writeOsmPbf({ nodes: fewer, extracted: seconds('2025-01-03') })),
  ];
  assert.equal((await waypostIn('import', 'osm', all)).code, 0);
  const state = await directoryState(database);
  const refused = await waypostIn('import', 'osm', some);
  assert.equal(refused.code, 1);
  assert.match(
    refused.error,
    /some\.osm\.pbf would close .* Nothing was changed\.\n {2}Monaco: \d+ of 40\d /,
  );
  assert.match(refused.error, /--confirm-closures\.\n$/);
  assert.equal(await directoryState(database), state);
  const confirmed = await waypostIn('import', 'osm', some, '--confirm-closures');
  assert.equal(confirmed.code, 0, confirmed.error);
  assert.match(confirmed.out, /^ {2}closed +[4-9]\d$/m);
});

test('a file without any date is asked for one and changes nothing, and --as-of gives it', async () => {
  const nodes = [{ id: 9, lat: 43.7397, lng: 7.4279, tags: { amenity: 'bar', name: 'Zoé' } }];
  const undated = await file('undated.osm.pbf', writeOsmPbf({ nodes }));
  const state = await directoryState(database);
  const refused = await waypostIn('import', 'osm', undated);
  assert.equal(refused.code, 1);
  assert.match(
    refused.error,
    /undated\.osm\.pbf has no date.* Repeat the import with --as-of YYYY-MM-DD.*\.\n$/,
  );
  assert.equal(await directoryState(database), state);
  const dated = await waypostIn('import', 'osm', undated, '--as-of', '2025-01-04');
  assert.equal(dated.code, 0, dated.error);
  const [zoe] = await database.pool`select observed_at from place where source_ref = 'node/9'`;
  assert.deepEqual(zoe, { observed_at: new Date('2025-01-04T00:00:00Z') });
  const twice = await waypostIn('import', 'osm', await file('b.osm.pbf', MAP), '--as-of', '2025-01-04');
  assert.equal(twice.code, 1);
  assert.match(twice.error, /has a date of its own, 2025-01-01: leave out --as-of\./);
});

test('words that make no command are refused with the code 2', async () => {
  for (const args of [
    ['import'],
    ['import', 'osm'],
    ['import', 'xml', 'x'],
    ['import', 'overture', 'x', '--country', 'Malta'],
    ['import', 'foursquare', 'x', '--box', '14,35,13,36'],
    ['destination', 'add', 'Gozo!', '--name', 'Gozo', '--country', 'MT', '--lat', '36', '--lng', '14'],
    ['destination', 'add', 'gozo', '--name', 'Gozo', '--country', 'Malta', '--lat', '36', '--lng', '14'],
    ['destination', 'add', 'gozo', '--name', 'Gozo', '--country', 'MT', '--lat', '96', '--lng', '14'],
    ['destination', 'add', 'gozo', '--name', 'Gozo', '--country', 'MT', '--lng', '14'],
    [
      'destination',
      'add',
      'gozo',
      '--name',
      'G',
      '--country',
      'MT',
      '--lat',
      '36',
      '--lng',
      '14',
      '--radius',
      '0',
    ],
    ['import', 'osm', 'x', 'y'],
    ['import', 'geojson', 'x', '--auto-destinations'],
    ['import', 'osm', 'x', '--as-of', 'yesterday'],
    ['import', 'osm', 'x', '--as-of', '2025-02-30'],
    ['import', 'osm', 'x', '--as-of', '2999-01-01'],
  ]) {
    const { code, error } = await waypostIn(...args);
    assert.deepEqual([code, error.trim().split('\n').length], [2, 1], `${args.join(' ')}: ${error}`);
  }
});

test('a table is imported once its columns are confirmed, into a destination added before', async () => {
  const added = await waypostIn(
    ...['destination', 'add', 'mdina', '--name', 'Mdina', '--other-names', 'L-Imdina;Città Vecchia'],
    ...['--country', 'MT', '--lat', '35.886', '--lng', '14.403', '--radius', '3'],
  );
  assert.equal(added.code, 0, added.error);
  assert.match(added.out, /^Mdina is a destination: dst_\w+$/m);
  const again = await waypostIn(
    ...[
      'destination',
      'add',
      'mdina',
      '--name',
      'Mdina',
      '--country',
      'MT',
      '--lat',
      '35.886',
      '--lng',
      '14.403',
    ],
  );
  assert.deepEqual([again.code, again.error], [1, 'There is a destination "mdina" already.\n']);
  const table = await file(
    'table.csv',
    'Label,Kind,Lat,Lon\nFontanella,café,35.8869,14.4036\nNowhere,bar,,\nFar away,bar,10,-150\n',
  );
  const state = await directoryState(database);
  const shown = await waypostIn('import', 'csv', table, '--map', 'name=Label', '--as-of', '2025-01-05');
  assert.equal(shown.code, 2);
  assert.match(shown.out, /^ {2}name = Label$/m);
  assert.match(shown.out, /^Line 2: .*name: Fontanella/m);
  assert.match(shown.error, /^Nothing was imported\. Repeat with --yes/);
  assert.equal(await directoryState(database), state);
  const done = await waypostIn(
    'import',
    'csv',
    table,
    '--map',
    'name=Label',
    '--as-of',
    '2025-01-05',
    '--yes',
  );
  assert.equal(done.code, 0, done.error);
  assert.match(done.out, /^ {2}new +1$/m);
  assert.match(done.out, /^ {4}line 3: it has no position$/m);
  const [place] = await database.pool`
    select d.slug, p.source, p.vertical from place p join destination d on d.id = p.destination_id
    where p.name = 'Fontanella'`;
  assert.deepEqual(place, { slug: 'mdina', source: 'csv', vertical: 'cafe' });
});

test('a table with the ids of another one is refused, and is imported without its ids', async () => {
  const table = (name: string, lng: number) =>
    file(
      `${name}.csv`,
      `id,name,type,lat,lng\n${[1, 2, 3].map((id) => `${id},${name} ${id},bar,35.88,${lng + id / 1000}\n`).join('')}`,
    );
  const words = (path: string) => ['import', 'csv', path, '--as-of', '2025-01-06', '--yes'];
  const hotels = await waypostIn(...words(await table('Hotel', 14.39)));
  assert.equal(hotels.code, 0, hotels.error);
  const state = await directoryState(database);
  const other = await table('Inn', 14.41);
  const refused = await waypostIn(...words(other));
  assert.equal(refused.code, 1);
  assert.match(refused.error, /: 1 was "Hotel 1" and is "Inn 1" elsewhere\. .* --map "id="/);
  assert.equal(await directoryState(database), state);
  const done = await waypostIn(...words(other), '--map', 'id=');
  assert.equal(done.code, 0, done.error);
  const rows = await database.pool<{ name: string }[]>`
    select name from place where name ~ '^(Hotel|Inn) ' and closed_at is null order by name`;
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Hotel 1', 'Hotel 2', 'Hotel 3', 'Inn 1', 'Inn 2', 'Inn 3'],
  );
});

test('a street map that cannot be written is named, and the import succeeds', async () => {
  const map = await file('blocked.osm.pbf', MAP);
  await mkdir(join(folder, 'maps', 'blocked.pmtiles'), { recursive: true });
  const { code, out, error } = await waypostIn('import', 'osm', map);
  assert.equal(code, 0, error);
  assert.match(out, /^There is no street map: /m);
});

test('a destination may lie in the south and the west', async () => {
  const { code, error } = await waypostIn(
    ...['destination', 'add', 'rio', '--name', 'Rio', '--country', 'BR', '--lat', '-22.9', '--lng', '-43.2'],
  );
  assert.equal(code, 0, error);
  const rows = await database.pool`select lat, lng from destination where slug = 'rio'`;
  assert.deepEqual([...rows], [{ lat: -22.9, lng: -43.2 }]);
});

test('a destination may have an outline, which decides what is in it', async () => {
  const square = [
    [14.2, 36],
    [14.3, 36],
    [14.3, 36.1],
    [14.2, 36],
  ];
  const outline = await file('outline.geojson', JSON.stringify({ type: 'Polygon', coordinates: [square] }));
  const broken = await file('broken.geojson', '{"type":"Point","coordinates":[14,36]}');
  const words = [
    'destination',
    'add',
    'gozo',
    '--name',
    'Gozo',
    '--country',
    'MT',
    '--lat',
    '36.04',
    '--lng',
    '14.25',
  ];
  const refused = await waypostIn(...words, '--outline', broken);
  assert.equal(refused.code, 1);
  assert.match(refused.error, /is not GeoJSON with a Polygon or MultiPolygon/);
  assert.equal((await waypostIn(...words, '--outline', outline)).code, 0);
  const inside = (name: string, lng: number, lat: number) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { name, category: 'bar' },
  });
  const features = [inside('In the half', 14.28, 36.04), inside('In the other half', 14.22, 36.08)];
  const bars = await file('bars.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
  const { code, error } = await waypostIn('import', 'geojson', bars, '--as-of', '2025-01-05');
  assert.equal(code, 0, error);
  const rows = await database.pool`
    select p.name from place p join destination d on d.id = p.destination_id where d.slug = 'gozo'`;
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['In the half'],
  );
});

test('rows of a provider are matched by the command and counted', async () => {
  const row = { name: 'Cafe Ada', lat: 43.7396, lng: 7.4272, rating: 4.5, review_count: 10 };
  const { code, out, error } = await waypostIn(
    'import',
    'enrich',
    await file('rows.jsonl', JSON.stringify(row)),
  );
  assert.equal(code, 0, error);
  assert.match(out, /^ {2}matched +1$/m);
});
