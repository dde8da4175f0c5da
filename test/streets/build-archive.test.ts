import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildArchive } from '../../src/streets/build/build-archive.ts';
import { buildStreets } from '../../src/streets/build/build-streets.ts';
import { writeOsmPbf } from '../import/readers/write-osm-pbf.ts';
import { sharedFile } from '../import/shared-data.ts';
import { waypostHere } from '../backup/commands.ts';
import { covers, decodeVectorTile, featuresIn, officialReader, tileAt } from './tile-features.ts';

const MONACO = sharedFile('osm/monaco.osm.pbf');
const CASINO = [43.7391, 7.4281] as const;
const OPEN_SEA = [43.7335, 7.436] as const;

let folder = '';
let archive = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waypost-streets-'));
  archive = join(folder, 'monaco.pmtiles');
  await buildArchive({ file: MONACO, out: archive, progress: () => () => undefined });
});
after(() => rm(folder, { recursive: true }));

async function monacoTile(lat: number, lng: number, z: number) {
  const address = tileAt(lat, lng, z);
  const reader = await officialReader(archive);
  const response = await reader.getZxy(address.z, address.x, address.y);
  assert.ok(response !== undefined, `there is a tile ${z} at ${lat}, ${lng}`);
  return { address, tile: decodeVectorTile(new Uint8Array(response.data)) };
}

test('the archive of Monaco is read by the reference reader and is at most three times the extract', async () => {
  const header = await (await officialReader(archive)).getHeader();
  assert.equal(header.specVersion, 3);
  assert.equal(header.maxZoom, 14);
  assert.ok(header.clustered);
  assert.ok(header.minLon < 7.41 && header.maxLon > 7.43 && header.minLat < 43.73 && header.maxLat > 43.74);
  const [built, extract] = await Promise.all([stat(archive), stat(MONACO)]);
  assert.ok(built.size <= 3 * extract.size, `${built.size} bytes`);
  const metadata = (await (await officialReader(archive)).getMetadata()) as Record<string, unknown>;
  assert.match(String(metadata['attribution']), /OpenStreetMap contributors/);
});

test('around the casino of Monaco the streets, houses, numbers and quarters have their names', async () => {
  const { tile } = await monacoTile(...CASINO, 14);
  const roads = featuresIn(tile, 'roads');
  // Avenue Princesse Grace and the name of the quarter are just to the north, in another tile.
  const north = await monacoTile(43.7445, 7.4305, 14);
  const named = new Set(
    [...roads, ...featuresIn(north.tile, 'roads')].map(({ properties }) => properties['name']),
  );
  for (const name of ['Place du Casino', 'Avenue de Monte-Carlo', 'Avenue Princesse Grace'])
    assert.ok(named.has(name), name);
  assert.ok(roads.some(({ properties }) => properties['is_tunnel'] === true));
  const kinds = new Set(featuresIn(tile, 'buildings').map(({ properties }) => properties['kind']));
  assert.deepEqual(kinds, new Set(['building', 'address']));
  const places = [tile, north.tile].flatMap((one) =>
    featuresIn(one, 'places').map(({ properties }) => properties['name']),
  );
  assert.ok(places.includes('Larvotto'), places.join());
  assert.ok(featuresIn(tile, 'landuse').some(({ properties }) => properties['kind'] === 'park'));
});

test('the coast of the extract divides land from sea', async () => {
  for (const z of [10, 12, 14]) {
    const land = await monacoTile(...CASINO, z);
    const ocean = (found: typeof land) =>
      featuresIn(found.tile, 'water').filter(({ properties }) => properties['kind'] === 'ocean');
    assert.ok(covers(featuresIn(land.tile, 'earth'), land.address, ...CASINO), `land at ${z}`);
    assert.ok(!covers(ocean(land), land.address, ...CASINO), `no sea at the casino at ${z}`);
    const sea = await monacoTile(...OPEN_SEA, z);
    assert.ok(covers(ocean(sea), sea.address, ...OPEN_SEA), `sea at ${z}`);
    assert.ok(!covers(featuresIn(sea.tile, 'earth'), sea.address, ...OPEN_SEA), `no land in the sea at ${z}`);
  }
});

test('beyond the extract the coast follows the coarser map of the world', async () => {
  // Off Cap-d'Ail, where a straight continuation of the coast of Monaco would have land.
  const [off, inland] = [
    [43.71, 7.385],
    [43.724, 7.39],
  ] as const;
  const sea = await monacoTile(...off, 14);
  assert.ok(covers(featuresIn(sea.tile, 'water'), sea.address, ...off));
  assert.ok(!covers(featuresIn(sea.tile, 'earth'), sea.address, ...off));
  const land = await monacoTile(...inland, 14);
  assert.ok(covers(featuresIn(land.tile, 'earth'), land.address, ...inland));
});

test('a map that does not fit into memory gives the same archive through temporary files', async () => {
  const out = join(folder, 'spilled.pmtiles');
  await buildArchive({ file: MONACO, out, progress: () => () => undefined, chunkBytes: 100_000 });
  assert.ok((await readFile(out)).equals(await readFile(archive)));
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('.') || name.endsWith('.part')),
    [],
  );
});

test('roads, holes, islands and the sides of a cut coast are drawn from a made map', async () => {
  // A square island of land with a lake, whose island has a road; the coast runs around it.
  const square = (id: number, half: number) =>
    [
      [-half, -half],
      [half, -half],
      [half, half],
      [-half, half],
    ].map(([x = 0, y = 0], at) => ({ id: id + at, lng: 10 + x, lat: y }));
  const ring = (id: number) => [id, id + 1, id + 2, id + 3, id];
  const file = join(folder, 'island.osm.pbf');
  await writeFile(
    file,
    writeOsmPbf({
      nodes: [...square(1, 0.05), ...square(11, 0.02), ...square(21, 0.005)],
      ways: [
        { id: 1, refs: ring(1), tags: { natural: 'coastline' } },
        { id: 2, refs: ring(11) },
        { id: 3, refs: ring(21) },
        { id: 4, refs: [21, 23], tags: { highway: 'primary', name: 'Lake Road', 'name:de': 'Seestraße' } },
      ],
      relations: [
        {
          id: 1,
          tags: { type: 'multipolygon', natural: 'water', water: 'lake', name: 'Lake' },
          members: [
            ['way', 2, 'outer'],
            ['way', 3, 'inner'],
          ],
        },
      ],
    }),
  );
  const out = join(folder, 'island.pmtiles');
  await buildArchive({ file, out, progress: () => () => undefined });
  const address = tileAt(0.001, 10.001, 10);
  const response = await (await officialReader(out)).getZxy(address.z, address.x, address.y);
  const tile = decodeVectorTile(new Uint8Array(response?.data ?? assert.fail('no tile')));
  const water = featuresIn(tile, 'water');
  const lake = water.filter(({ properties }) => properties['kind'] === 'lake');
  const ocean = water.filter(({ properties }) => properties['kind'] === 'ocean');
  assert.ok(covers(lake, address, 0.01, 10.01), 'the lake');
  assert.ok(!covers(lake, address, 0.001, 10.001), 'the island in the lake');
  assert.ok(covers(featuresIn(tile, 'earth'), address, 0.03, 10.03), 'the land around it');
  assert.ok(covers(ocean, address, 0.07, 10.07), 'the sea around the land');
  assert.ok(!covers(ocean, address, 0.03, 10.03), 'no sea on the land');
  const fine = tileAt(0.001, 10.001, 14);
  const close = await (await officialReader(out)).getZxy(14, fine.x, fine.y);
  const [road] = featuresIn(decodeVectorTile(new Uint8Array(close?.data ?? assert.fail('no tile'))), 'roads');
  const { name, 'name:de': german, kind } = road?.properties ?? {};
  assert.deepEqual([name, german, kind], ['Lake Road', 'Seestraße', 'major_road']);
});

/** Writes a map of one street, with a box and a date. */
async function writeStreet(path: string, { west, day }: { west: number; day: string }): Promise<string> {
  const nodes = [1, 2].map((id) => ({ id, lat: 1 + id / 1000, lng: west + id / 1000 }));
  const ways = [{ id: 1, refs: [1, 2], tags: { highway: 'primary', name: 'Road' } }];
  const box = { west, south: 1, east: west + 0.1, north: 1.1 };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, writeOsmPbf({ nodes, ways, box, extracted: Date.parse(day) / 1000 }));
  return path;
}

test('the command builds several extracts, each into its archive, and replaces those of older extracts only', async () => {
  const maps = join(folder, 'data', 'maps');
  const at = (name: string) => join(folder, `${name}.osm.pbf`);
  const build = (...files: string[]) =>
    waypostHere(['map', 'build', ...files], { DATA_DIR: join(folder, 'data') });
  const older = await writeStreet(at('street-2024'), { west: 10, day: '2024-01-01' });
  const newer = await writeStreet(at('street-2025'), { west: 10, day: '2025-01-01' });
  const { code, out, error } = await build(older, at('island'));
  assert.equal(code, 0, error);
  assert.match(out, /Streets: [^]*Tiles: [^]*street-2024\.pmtiles\.\n[^]*island\.pmtiles\.\n$/);
  assert.equal((await build(newer)).code, 0);
  assert.deepEqual((await readdir(maps)).sort(), ['island.pmtiles', 'street-2025.pmtiles']);
  assert.equal((await build(older)).code, 0);
  assert.deepEqual((await readdir(maps)).sort(), [
    'island.pmtiles',
    'street-2024.pmtiles',
    'street-2025.pmtiles',
  ]);
});

test('extracts of two areas with the same file name have an archive each', async () => {
  const maps = join(folder, 'same-name');
  for (const west of [10, 20, 10, 20]) {
    const file = await writeStreet(join(folder, String(west), 'latest.osm.pbf'), { west, day: '2025-01-01' });
    await buildStreets({ file, folder: maps, progress: () => () => undefined });
  }
  const names = (await readdir(maps)).sort();
  assert.equal(names.length, 2, names.join());
  assert.match(names[0] ?? '', /^latest-[0-9a-f]{8}\.pmtiles$/);
  assert.equal(names[1], 'latest.pmtiles');
});

test('a damaged or useless extract is refused with its reason, and leaves nothing behind', async () => {
  const damaged = join(folder, 'damaged.osm.pbf');
  await writeFile(damaged, (await readFile(MONACO)).subarray(0, 300_000));
  const empty = join(folder, 'empty.osm.pbf');
  await writeFile(empty, writeOsmPbf({ nodes: [{ id: 1, lat: 1, lng: 1, tags: { shop: 'books' } }] }));
  const settings = { DATA_DIR: join(folder, 'refused') };
  for (const [args, reason] of [
    [['map', 'build', damaged], /truncated/],
    [['map', 'build', empty], /nothing that a street map shows/],
    [['map', 'build', join(folder, 'missing.osm.pbf')], /missing\.osm\.pbf/],
    [['map', 'build'], /FILE is missing/],
    [['map', 'build', MONACO, MONACO, '--out', join(folder, 'x.pmtiles')], /--out/],
  ] as const) {
    const { code, error } = await waypostHere([...args], settings);
    assert.ok(code > 0);
    assert.match(error, reason);
  }
  assert.deepEqual(await readdir(join(folder, 'refused', 'maps')).catch(() => []), []);
});
