import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findOsmObjects } from '../../../src/import/osm/find-objects.ts';
import { openOsm } from '../../../src/import/osm/osm-reader.ts';
import { ImportFileError } from '../../../src/import/import-file-error.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.ts';
import { directoryState, importAt, seconds } from '../import-directory.ts';
import type { PlaceDraft } from '../../../src/import/place-draft.ts';
import { readAll, withFile } from '../readers/read-all.ts';
import { needsOsmium, needsSharedFile, sharedFile } from '../shared-data.ts';
import { type MadeMap, writeOsmPbf } from '../readers/write-osm-pbf.ts';

const MONACO = 'osm/monaco.osm.pbf';
const MONACO_BEFORE = 'osm/monaco-2023-12.osm.pbf';
const ANDORRA = 'osm/andorra.osm.pbf';
const FOOD = 'food-places-worldwide.geojson.gz';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

async function idsByRef(): Promise<Map<string, string>> {
  const rows = await database.pool<{ id: string; source_ref: string }[]>`
    select id, source_ref from place where source = 'osm'`;
  return new Map(rows.map(({ id, source_ref }) => [source_ref, id]));
}

test(
  'a newer extract of Monaco updates the places, keeps their ids and closes what vanished, with evidence',
  needsSharedFile(MONACO),
  async () => {
    const first = await importAt(database, sharedFile(MONACO_BEFORE), { autoDestinations: true });
    assert.ok(first.added > 500, String(first.added));
    assert.equal(first.added + first.joined + first.outside + first.read.closed, first.read.places);
    const earlier = await idsByRef();

    const second = await importAt(database, sharedFile(MONACO), { autoDestinations: true });
    assert.ok(second.updated > 0 && second.added > 0 && second.closed > 0, JSON.stringify(second));
    const later = await idsByRef();
    const lost = [...earlier].filter(([ref, id]) => later.has(ref) && later.get(ref) !== id);
    assert.deepEqual(lost, []);
    const closed = await database.pool`
      select e.kind, e.source_url, e.note, p.closed_at from place p
      join closure_evidence e on e.place_id = p.id where p.closed_at is not null`;
    assert.equal(closed.length, second.closed);
    for (const row of closed) {
      assert.match(
        String(row['source_url']),
        /^https:\/\/www\.openstreetmap\.org\/(node|way|relation)\/\d+$/,
      );
      assert.match(String(row['note']), /^No longer in the map extract of 2025-02-11\.$|^Marked as disused/);
    }
  },
);

test(
  'no place of Monaco is closed whose object is still there under other tags',
  needsSharedFile(MONACO),
  async () => {
    const vanished = await database.pool<{ source_ref: string }[]>`
    select p.source_ref from place p join closure_evidence e on e.place_id = p.id where e.note like 'No longer%'`;
    const refs = new Set(vanished.map(({ source_ref }) => source_ref));
    const held = await findOsmObjects(sharedFile(MONACO), refs, () => undefined);
    assert.deepEqual([...held.keys()], []);
    const kept = await database.pool<{ name: string; closed_at: Date | null }[]>`
    select name, closed_at from place where source_ref in ('node/267904158', 'way/444269554') order by name`;
    assert.deepEqual(
      [...kept],
      [
        { name: 'Champions Promenade', closed_at: null },
        { name: 'Credit Suisse', closed_at: null },
      ],
    );
  },
);

test('a second import of the same file changes nothing', needsSharedFile(MONACO), async () => {
  const state = await directoryState(database);
  const again = await importAt(database, sharedFile(MONACO), { now: new Date('2025-03-20T00:00:00Z') });
  const { added, updated, closed, reopened, redrawn } = again;
  assert.deepEqual([added, updated, closed, reopened, redrawn], [0, 0, 0, 0, 0]);
  assert.equal(await directoryState(database), state);
});

test('an older extract is refused and changes nothing', needsSharedFile(MONACO), async () => {
  const state = await directoryState(database);
  await assert.rejects(importAt(database, sharedFile(MONACO_BEFORE)), ImportFileError);
  assert.equal(await directoryState(database), state);
});

test('a file that is cut off leaves the directory as it was', needsSharedFile(ANDORRA), async () => {
  const state = await directoryState(database);
  const folder = await mkdtemp(join(tmpdir(), 'waypost-cut-'));
  try {
    const whole = await readFile(sharedFile(ANDORRA));
    const file = join(folder, 'cut.osm.pbf');
    await writeFile(file, whole.subarray(0, Math.floor(whole.length * 0.9)));
    await assert.rejects(importAt(database, file, { autoDestinations: true }), ImportFileError);
    assert.equal(await directoryState(database), state);
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function openIn({ pool }: TestDatabase): Promise<number> {
  const [row] = await pool<
    { open: number }[]
  >`select count(*)::int as open from place where closed_at is null`;
  return row?.open ?? 0;
}

/** A file of those places of Andorra that lie within, each under the reference that it has in the whole file. */
async function partOfAndorra(
  isWithin: (place: PlaceDraft) => boolean,
  box?: NonNullable<MadeMap['box']>,
): Promise<Buffer> {
  const { places } = await readAll(await openOsm(sharedFile(ANDORRA)));
  const map: Required<Pick<MadeMap, 'nodes' | 'ways' | 'relations'>> = { nodes: [], ways: [], relations: [] };
  for (const [at, draft] of places.filter((place) => place.closed === null && isWithin(place)).entries()) {
    const [kind, id] = draft.source_ref.split('/');
    const tags = { shop: draft.category, name: draft.name };
    const { lat, lng } = draft;
    // A building or a group of them is one point here, which is all that its position is taken from.
    const corner = 1e12 + at;
    if (kind !== 'node') map.nodes.push({ id: corner, lat, lng });
    if (kind === 'node') map.nodes.push({ id: Number(id), lat, lng, tags });
    else if (kind === 'way') map.ways.push({ id: Number(id), refs: [corner], tags });
    else map.relations.push({ id: Number(id), members: [['node', corner, '']], tags });
  }
  return writeOsmPbf({ ...map, extracted: seconds('2025-01-20'), ...(box && { box }) });
}

test(
  'the towns of Andorra become destinations and take the places, and a part of it closes nothing in the rest',
  needsSharedFile(ANDORRA),
  async () => {
    const own = await createTestDatabase();
    try {
      await own.pool`delete from destination`;
      const first = await importAt(own, sharedFile(ANDORRA), { autoDestinations: true });
      assert.equal(first.added + first.joined + first.outside + first.read.closed, first.read.places);
      const made = await own.pool<{ slug: string; country: string; timezone: string; places: number }[]>`
        select slug, country, timezone, (select count(*)::int from place where destination_id = d.id) as places
        from destination d order by slug`;
      assert.ok(made.some(({ slug }) => slug === 'andorra-la-vella'));
      assert.ok(made.some(({ slug }) => slug === 'sant-julia-de-loria'));
      assert.ok(made.every(({ country, timezone }) => country === 'AD' && timezone === 'Europe/Andorra'));
      assert.ok(made.every(({ places }) => places > 0));
      const again = await importAt(own, sharedFile(ANDORRA), { autoDestinations: true });
      assert.deepEqual([again.destinations, again.added, again.updated], [0, 0, 0]);
      const opened = await openIn(own);
      for (const box of [undefined, { west: 1.41, south: 42.42, east: 1.79, north: 42.66 }]) {
        const part = await partOfAndorra(({ lat, lng }) => lng + (lat - 42.5) < 1.6, box);
        const report = await withFile(part, (file) => importAt(own, file, { autoDestinations: true }));
        assert.deepEqual([report.closed, await openIn(own)], [0, opened]);
        assert.ok(report.beyond > 300, String(report.beyond));
      }
      // A download that ended after the nodes, between two blocks, so that it reads as a whole file.
      const short = await partOfAndorra(({ source_ref }) => source_ref.startsWith('node/'));
      await assert.rejects(
        withFile(short, (file) => importAt(own, file)),
        /Andorra la Vella: \d+ of \d+/,
      );
      assert.equal(await openIn(own), opened);
    } finally {
      await own.drop();
    }
  },
);

test(
  'parts of Andorra, cut by osmium along boxes and outlines, close nothing, and the whole has all places open',
  await needsOsmium(ANDORRA),
  async () => {
    const own = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'waypost-part-'));
    try {
      await importAt(own, sharedFile(ANDORRA), { autoDestinations: true });
      const opened = await openIn(own);
      const outline = join(folder, 'outline.geojson');
      const ring = [
        [1.4, 42.42],
        [1.62, 42.42],
        [1.52, 42.5],
        [1.6, 42.58],
        [1.45, 42.67],
        [1.4, 42.42],
      ];
      const geometry = { type: 'Polygon', coordinates: [ring] };
      await writeFile(outline, JSON.stringify({ type: 'Feature', properties: {}, geometry }));
      for (const [at, cut] of [
        ['-b', '1.40,42.42,1.56,42.67', '-s', 'simple', '--set-bounds'],
        ['-b', '1.40,42.42,1.56,42.67', '-s', 'complete_ways'],
        ['-b', '1.52,42.42,1.80,42.67', '-s', 'smart'],
        ['-p', outline, '-s', 'complete_ways', '--set-bounds'],
      ].entries()) {
        const part = join(folder, `${at}.osm.pbf`);
        execFileSync('osmium', ['extract', ...cut, sharedFile(ANDORRA), '-o', part], { stdio: 'ignore' });
        const report = await importAt(own, part);
        assert.deepEqual([report.closed, await openIn(own)], [0, opened], cut.join(' '));
      }
      const full = await importAt(own, sharedFile(ANDORRA));
      assert.deepEqual([full.added, await openIn(own)], [0, opened]);
    } finally {
      await own.drop();
      await rm(folder, { recursive: true });
    }
  },
);

test(
  'the worldwide list of food places falls into the destinations of the catalogue',
  needsSharedFile(FOOD),
  async () => {
    const report = await importAt(database, sharedFile(FOOD), { source: 'geojson' });
    assert.ok(report.added > 1000, String(report.added));
    assert.equal(
      report.added + report.joined + report.matched + report.outside + report.read.closed,
      report.read.places,
    );
  },
);
