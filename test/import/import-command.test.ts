import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
    /^ {2}phones dropped +1$/m,
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
    ['import', 'csv', 'x'],
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
