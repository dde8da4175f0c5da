import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildArchive } from '../../src/streets/build/build-archive.ts';
import { startTestService } from '../harness/service/service.ts';
import { writeOsmPbf } from '../import/readers/write-osm-pbf.ts';
import { sharedFile } from '../import/shared-data.ts';
import { decodeVectorTile, featuresIn, tileAt } from './tile-features.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-tiles-'));
after(() => {
  rmSync(folder, { recursive: true });
});
const DATA_DIR = join(folder, 'data');
const MAPS = join(DATA_DIR, 'maps');
mkdirSync(MAPS, { recursive: true });
const progress = () => () => undefined;
const service = await startTestService({ settings: { DATA_DIR } });
const casino = tileAt(43.7391, 7.4281, 14);

const pathOfTile = ({ z, x, y }: typeof casino, v = '') => `/tiles/${z}/${x}/${y}.mvt${v && `?v=${v}`}`;

/** Builds an archive beside the folder, and moves it there as a copy would arrive. */
async function put(file: string, name: string): Promise<void> {
  await buildArchive({ file, out: join(folder, name), progress });
  await rename(join(folder, name), join(MAPS, name));
}

function madeRoad(name: string): string {
  const file = join(folder, `${name}.osm.pbf`);
  writeFileSync(
    file,
    writeOsmPbf({
      nodes: [
        { id: 1, lat: 43.739, lng: 7.428 },
        { id: 2, lat: 43.7395, lng: 7.4285 },
      ],
      ways: [{ id: 1, refs: [1, 2], tags: { highway: 'residential', name } }],
    }),
  );
  return file;
}

async function roadNames(path: string): Promise<unknown[]> {
  const response = await service.request(path);
  assert.equal(response.status, 200);
  const tile = decodeVectorTile(new Uint8Array(await response.arrayBuffer()));
  return featuresIn(tile, 'roads').map(({ properties }) => properties['name']);
}

test('without an archive there are no tiles', async () => {
  assert.equal((await service.request(pathOfTile(casino))).status, 404);
});

test('an archive that appears while the service runs is served, and cached by its version', async () => {
  await put(sharedFile('osm/monaco.osm.pbf'), 'monaco.pmtiles');
  const first = await service.request(pathOfTile(casino));
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('content-type'), 'application/vnd.mapbox-vector-tile');
  assert.equal(first.headers.get('cache-control'), 'no-cache');
  assert.equal(first.headers.get('content-security-policy')?.includes('default-src'), true);
  const etag = first.headers.get('etag') ?? '';
  const again = await service.request(pathOfTile(casino), { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  const version = service.app.deps.streets.map?.version ?? '';
  assert.equal(etag, `"${version}"`);
  const named = await service.request(pathOfTile(casino, version));
  assert.match(named.headers.get('cache-control') ?? '', /immutable/);
  assert.ok((await roadNames(pathOfTile(casino, version))).includes('Place du Casino'));
});

test('a tile is sent as it is stored, and unpacked to a client that does not read gzip', async () => {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    httpRequest(service.url + pathOfTile(casino), (response) => {
      assert.equal(response.headers['content-encoding'], undefined);
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve(Buffer.concat(parts));
      });
    })
      .on('error', reject)
      .end();
  });
  assert.ok(featuresIn(decodeVectorTile(bytes), 'roads').length > 0);
  const packed = await service.request(pathOfTile(casino), { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(packed.headers.get('content-encoding'), 'gzip');
});

test('a tile without content is empty, and an impossible address is refused', async () => {
  assert.equal((await service.request('/tiles/14/1/1.mvt')).status, 204);
  for (const path of ['14/1/16384.mvt', '15/1/1.mvt', '99/0/0.mvt', '3/1/1.png', '1e1/1/1.mvt', '3/-1/1.mvt'])
    assert.equal((await service.request(`/tiles/${path}`)).status, 404, path);
});

test('where two archives overlap, a tile contains the streets of both', async () => {
  await put(madeRoad('Second Street'), 'second.pmtiles');
  const names = await roadNames(pathOfTile(casino));
  assert.ok(names.includes('Second Street'));
  assert.ok(names.includes('Place du Casino'));
  const response = await service.request(pathOfTile(casino));
  const tile = decodeVectorTile(new Uint8Array(await response.arrayBuffer()));
  assert.equal(Object.keys(tile.layers).filter((name) => name === 'roads').length, 1);
});

test('an archive is replaced while its tiles are read', async () => {
  const before = service.app.deps.streets.map?.version;
  const reads = Array.from({ length: 40 }, (_, at) =>
    service.request(pathOfTile({ ...casino, x: casino.x + (at % 3) - 1 }, before)),
  );
  await put(madeRoad('Third Street'), 'second.pmtiles');
  for (const response of await Promise.all(reads)) assert.ok(response.status < 300, `${response.status}`);
  assert.ok((await roadNames(pathOfTile(casino))).includes('Third Street'));
  assert.notEqual(service.app.deps.streets.map?.version, before);
});

test('a damaged archive is logged, and the others are served', async () => {
  writeFileSync(join(MAPS, 'damaged.pmtiles'), 'PMTiles, or so it says');
  assert.ok((await roadNames(pathOfTile(casino))).includes('Third Street'));
  const line = service.logged.find(({ msg }) => msg === 'a street map cannot be used');
  assert.equal(line?.['reason'], 'it is not a PMTiles archive');
});

test("the operator's own archive is served instead of those in the folder", async () => {
  const MAP_TILES = join(folder, 'own.pmtiles');
  await buildArchive({ file: madeRoad('Own Street'), out: MAP_TILES, progress });
  const own = await startTestService({ settings: { MAP_TILES, DATA_DIR: join(folder, 'other') } });
  const response = await own.request(pathOfTile(casino));
  const tile = decodeVectorTile(new Uint8Array(await response.arrayBuffer()));
  assert.deepEqual(
    featuresIn(tile, 'roads').map(({ properties }) => properties['name']),
    ['Own Street'],
  );
});
