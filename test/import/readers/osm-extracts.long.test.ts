import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { osmiumFilter } from '../osmium-filter.ts';
import { centreOf } from '../../../src/import/centre.ts';
import { linesOf } from '../../../src/import/geojson/geometry-lines.ts';
import { openOsm } from '../../../src/import/osm/osm-reader.ts';
import type { PlaceDraft } from '../../../src/import/place-draft.ts';
import { readAll } from './read-all.ts';
import { needsOsmium, needsSharedFile, sharedFile } from '../shared-data.ts';

const ANDORRA = 'osm/andorra.osm.pbf';
const MONACO = 'osm/monaco.osm.pbf';
const MONACO_BEFORE = 'osm/monaco-2023-12.osm.pbf';
const HELSINKI = 'osm/helsinki.osm.pbf';
const METRES_PER_DEGREE = 111_195;

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waypost-osmium-'));
});
after(() => rm(folder, { recursive: true }));

function read(name: string) {
  return openOsm(sharedFile(name)).then(readAll);
}

function osmium(...args: string[]): string {
  return execFileSync('osmium', args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** How many named objects osmium finds for the same rules, by category or in all. */
function countWithOsmium(named: string, category?: string): number {
  const lines = osmium('tags-filter', '-R', '-f', 'opl', '-o', '-', named, ...osmiumFilter(category));
  return lines.split('\n').filter((line) => line !== '').length;
}

function countByCategory(places: readonly PlaceDraft[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const category of places.flatMap(({ categories }) => categories)) {
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  return counts;
}

// osmium compares whole values, so an object tagged shop=car;car_repair is in neither of its two counts. It also counts
// parking that is closed to the public, which is not imported, and does not know that a sports centre for swimming is a
// pool as well, and one for skiing part of a ski resort.
for (const [name, privateParking, differences] of [
  [ANDORRA, 2, { car: 1, car_repair: 1, parking: -2, ski_resort: 7, sports_centre: -7, swimming_pool: 1 }],
  [MONACO, 0, { fuel: 1, parking: 1, swimming_pool: 2 }],
] as const) {
  test(
    `Every category of ${name} counts as many places as osmium finds by the same rules.`,
    await needsOsmium(name),
    async () => {
      const { places } = await read(name);
      const open = places.filter(({ closed, name_generated }) => closed === null && name_generated !== true);
      const named = join(folder, 'named.osm.pbf');
      osmium('tags-filter', '-R', '-O', '-o', named, sharedFile(name), 'nwr/name', 'nwr/name:*');
      const found: Record<string, number> = {};
      for (const [category, count] of countByCategory(open)) {
        const more = count - countWithOsmium(named, category);
        if (more !== 0) found[category] = more;
      }
      assert.deepEqual(found, differences);
      assert.ok(Math.abs(open.length + privateParking - countWithOsmium(named)) <= 1);
    },
  );
}

interface ExportedFeature {
  id: string;
  geometry: unknown;
}

/** The centres of the objects that osmium exports, areas where it made any. */
async function centresFromOsmium(name: string): Promise<Map<string, { lat: number; lng: number }>> {
  const filtered = join(folder, 'filtered.osm.pbf');
  const exported = join(folder, 'exported.geojson');
  osmium('tags-filter', '-O', '-o', filtered, sharedFile(name), ...osmiumFilter());
  osmium('export', '-O', '-u', 'type_id', '-o', exported, filtered);
  const { features } = JSON.parse(await readFile(exported, 'utf8')) as { features: ExportedFeature[] };
  const centres = new Map<string, { lat: number; lng: number }>();
  for (const { id, geometry } of features) {
    const number = Number(id.slice(1));
    const kind = { n: 'node', w: 'way', a: number % 2 === 0 ? 'way' : 'relation' }[id.charAt(0)] ?? '';
    const centre = centreOf(linesOf(geometry));
    const ref = `${kind}/${id.startsWith('a') ? Math.floor(number / 2) : number}`;
    if (centre !== null) centres.set(ref, centre);
  }
  return centres;
}

for (const [name, comparedMin] of [
  [ANDORRA, 1249],
  [MONACO, 639],
  [HELSINKI, 1166],
] as const) {
  test(
    `Every place of ${name} lies within a metre of where osmium puts it.`,
    await needsOsmium(name),
    async () => {
      const { places } = await read(name);
      const centres = await centresFromOsmium(name);
      let compared = 0;
      for (const { source_ref, lat, lng } of places) {
        const other = centres.get(source_ref);
        // osmium exports neither closed places nor outlines that the extract cuts through.
        if (other === undefined) continue;
        const east = (other.lng - lng) * Math.cos((lat * Math.PI) / 180);
        const metres = Math.hypot(east, other.lat - lat) * METRES_PER_DEGREE;
        assert.ok(metres <= 1, `${source_ref}: ${metres.toFixed(1)} m`);
        compared++;
      }
      assert.ok(compared >= comparedMin, String(compared));
    },
  );
}

test(
  'Monaco is read with its places, its date and both dates of one re-import.',
  needsSharedFile(MONACO),
  async () => {
    const [now, before] = [await read(MONACO), await read(MONACO_BEFORE)];
    assert.equal(now.counts.places, now.places.length);
    assert.ok(now.places.length >= 425, String(now.places.length));
    assert.equal(now.extractedAt?.toISOString(), '2025-02-11T21:21:02.000Z');
    assert.ok(before.extractedAt !== null && before.extractedAt < now.extractedAt);
    const earlier = new Set(before.places.map(({ source_ref }) => source_ref));
    const kept = now.places.filter(({ source_ref }) => earlier.has(source_ref)).length;
    assert.ok(kept > 500 && kept < now.places.length, String(kept));
    assert.equal(new Set(now.places.map(({ source_ref }) => source_ref)).size, now.places.length);
  },
);

test(
  'Helsinki is read with its hours, each with the date when it was last touched.',
  needsSharedFile(HELSINKI),
  async () => {
    const { places } = await read(HELSINKI);
    const withHours = places.filter(({ hours_text }) => hours_text !== null);
    assert.ok(withHours.length >= 490, String(withHours.length));
    for (const { touched_at, source_ref } of withHours) {
      assert.ok(touched_at !== null && touched_at < new Date('2019-04-22T00:00:00Z'), source_ref);
    }
    const station = places.find(({ names }) => names['sv'] === 'Helsingfors centralstation');
    assert.equal(station?.vertical, 'transport');
  },
);

test(
  'Andorra has its towns, most of them with the boundary of their parish.',
  needsSharedFile(ANDORRA),
  async () => {
    const { settlements } = await read(ANDORRA);
    const towns = new Map(settlements.map((settlement) => [settlement.name, settlement]));
    for (const name of ['Andorra la Vella', 'Canillo', 'Encamp', 'La Massana', 'Ordino']) {
      const town = towns.get(name);
      assert.ok(town?.outlined, name);
      const { west, south, east, north } = town.extent;
      assert.ok(west < town.lng && town.lng < east && south < town.lat && town.lat < north, name);
    }
  },
);
