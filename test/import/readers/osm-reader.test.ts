import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ImportFileError } from '../../../src/import/import-file-error.ts';
import { type OsmReadOptions, openOsm } from '../../../src/import/osm/osm-reader.ts';
import { tries } from '../../harness/tier.ts';
import { readAll, withFile } from './read-all.ts';
import { type MadeMap, writeOsmPbf } from './write-osm-pbf.ts';

function readMap(map: MadeMap, options: OsmReadOptions = {}) {
  return withFile(writeOsmPbf(map), async (path) => readAll(await openOsm(path, options)));
}

/** Every so-manieth byte of a file is tried. */
const STEP = tries({ quick: 7, long: 1 });

/** The corners of a square, numbered from the given id. */
function corners(id: number, west: number, south: number, size: number) {
  return [
    { id, lat: south, lng: west },
    { id: id + 1, lat: south, lng: west + size },
    { id: id + 2, lat: south + size, lng: west + size },
    { id: id + 3, lat: south + size, lng: west },
  ];
}

const TOWN: MadeMap = {
  extracted: 1_700_000_000,
  nodes: [
    { id: 1, lat: 42.5, lng: 1.5, tags: { amenity: 'cafe', name: 'Café Exemple' }, changed: 1_600_000_000 },
    { id: 2, lat: 42.6, lng: -1.6, tags: { highway: 'crossing', name: 'No place' } },
    { id: 3, lat: 42.7, lng: 1.7, tags: { amenity: 'bar' } },
    ...corners(9_000_000_010, 2, 41, 0.01),
    ...corners(9_000_000_020, 3, 41, 0.02),
  ],
  ways: [
    {
      id: 100,
      refs: [9_000_000_010, 9_000_000_011, 9_000_000_012, 9_000_000_013, 9_000_000_010],
      tags: { tourism: 'hotel', name: 'Hotel Exemple' },
      changed: 1_500_000_000,
    },
    { id: 101, refs: [9_000_000_020, 9_000_000_021, 9_000_000_022] },
    { id: 102, refs: [9_000_000_022, 9_000_000_023, 9_000_000_020] },
    { id: 103, refs: [777, 778], tags: { leisure: 'park', name: 'StepContext the file' } },
  ],
  relations: [
    {
      id: 200,
      members: [
        ['way', 101, 'outer'],
        ['way', 102, 'outer'],
        ['way', 100, 'inner'],
      ],
      tags: { type: 'multipolygon', leisure: 'park', name: 'Parc Exemple' },
    },
  ],
};

test('Nodes, ways and relations become places at their centres, with the time of their last change.', async () => {
  const { places, counts, extractedAt } = await readMap(TOWN);
  assert.deepEqual(
    places.map(({ source_ref, name, lat, lng }) => [source_ref, name, lat, lng]),
    [
      ['node/1', 'Café Exemple', 42.5, 1.5],
      ['way/100', 'Hotel Exemple', 41.005, 2.005],
      ['relation/200', 'Parc Exemple', 41.01, 3.01],
    ],
  );
  assert.deepEqual(places[0]?.touched_at, new Date(1_600_000_000_000));
  assert.deepEqual(places[1]?.touched_at, new Date(1_500_000_000_000));
  assert.deepEqual(extractedAt, new Date(1_700_000_000_000));
  assert.deepEqual(
    [counts.of_interest, counts.places, counts.unnamed, counts.without_position],
    [5, 3, 1, 1],
  );
});

/** Hotels as outlines, in several blocks. */
function manyHotels(): MadeMap {
  const many: MadeMap = { nodes: [], ways: [], waysPerBlock: 7 };
  for (let at = 0; at < 40; at++) {
    many.nodes?.push(...corners(1000 + at * 4, at / 10, 10, 0.01));
    const refs = [0, 1, 2, 3, 0].map((corner) => 1000 + at * 4 + corner);
    many.ways?.push({ id: 5000 + at, refs, tags: { tourism: 'hotel', name: `Hotel ${at}` } });
  }
  return many;
}

test('Memory for outlines is bounded: a smaller bound takes more rounds and gives the same places.', async () => {
  const many = manyHotels();
  const whole = await readMap({ ...TOWN, ...many });
  const rounds = await readMap({ ...TOWN, ...many }, { outlineNodesMax: 50 });
  assert.equal(whole.counts.places, 40);
  assert.deepEqual(rounds.places, whole.places);
  assert.deepEqual(rounds.counts, whole.counts);
});

test('A file without the times of changes says nothing about them, in every form that nodes and ways may have.', async () => {
  const [cafe, ...others] = TOWN.nodes ?? [];
  assert.ok(cafe);
  const { changed: _node, ...node } = cafe;
  const ways = TOWN.ways?.map(({ changed: _way, ...way }) => way) ?? [];
  for (const form of [{}, { plainNodes: true }]) {
    const { places } = await readMap({ ...TOWN, ...form, nodes: [node, ...others], ways });
    assert.deepEqual([places[0]?.touched_at, places[1]?.touched_at], [null, null]);
  }
});

test('Blocks without compression and nodes outside the dense form are read alike.', async () => {
  const usual = await readMap(TOWN);
  assert.deepEqual(await readMap({ ...TOWN, raw: true }), usual);
  assert.deepEqual(await readMap({ ...TOWN, plainNodes: true }), usual);
});

test('Cities, towns and islands come with the extent of their boundary, their outline or a radius.', async () => {
  const place = { place: 'town', name: 'Vila' };
  const { settlements, counts } = await readMap({
    nodes: [
      { id: 1, lat: 42.005, lng: 1.005, tags: { ...place, population: '9 207', 'name:en': 'Town' } },
      { id: 2, lat: 10, lng: 20, tags: { place: 'city', name: 'Punt', 'is_in:country_code': 'ad' } },
      ...corners(10, 1, 42, 0.1),
      ...corners(20, 5, 5, 0.2),
      ...corners(30, 0, 40, 5),
    ],
    ways: [
      { id: 100, refs: [10, 11, 12, 13, 10] },
      { id: 101, refs: [20, 21, 22, 23, 20], tags: { place: 'island', name: 'Illa' } },
      { id: 102, refs: [30, 31, 32, 33, 30] },
    ],
    relations: [
      {
        id: 200,
        members: [
          ['way', 100, 'outer'],
          ['node', 1, 'admin_centre'],
        ],
        tags: { type: 'boundary', boundary: 'administrative', admin_level: '7', name: 'Vila' },
      },
      {
        id: 201,
        members: [
          ['way', 102, 'outer'],
          ['node', 1, 'admin_centre'],
        ],
        tags: { type: 'boundary', boundary: 'administrative', admin_level: '2', name: 'Vila' },
      },
    ],
  });
  assert.deepEqual(
    settlements.map(({ kind, name, outlined, country }) => [kind, name, outlined, country]),
    [
      ['town', 'Vila', true, null],
      ['city', 'Punt', false, 'AD'],
      ['island', 'Illa', true, null],
    ],
  );
  assert.deepEqual(settlements[0]?.extent, { west: 1, south: 42, east: 1.1, north: 42.1 });
  assert.deepEqual([settlements[0].lat, settlements[0].population], [42.005, 9207]);
  assert.deepEqual(settlements[2]?.extent, { west: 5, south: 5, east: 5.2, north: 5.2 });
  assert.equal(counts.settlements, 3);
});

test('Places or settlements alone can be asked for.', async () => {
  const map = {
    nodes: [...(TOWN.nodes ?? []), { id: 4, lat: 1, lng: 1, tags: { place: 'town', name: 'Vila' } }],
  };
  const places = await readMap(map, { settlements: false });
  assert.deepEqual([places.places.length, places.settlements.length], [1, 0]);
  const settlements = await readMap(map, { places: false });
  assert.deepEqual([settlements.places.length, settlements.settlements.length], [0, 1]);
});

test('Progress never goes back and ends at the size of the file, in one round or in many.', async () => {
  for (const outlineNodesMax of [1_000_000, 50]) {
    const seen: number[] = [];
    let size = 0;
    const progress = (done: number, total: number) => {
      seen.push(done);
      size = total;
    };
    await readMap({ ...TOWN, ...manyHotels() }, { progress, outlineNodesMax });
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    assert.equal(seen.at(-1), size);
  }
});

async function refusal(content: string | Buffer): Promise<string> {
  return withFile(content, async (path) => {
    try {
      await readAll(await openOsm(path));
    } catch (error) {
      assert.ok(error instanceof ImportFileError, String(error));
      return error.message.replaceAll(path, 'FILE');
    }
    return assert.fail('the file was accepted');
  });
}

test('A file of another format is refused by the name of that format.', async () => {
  assert.equal(await refusal(''), 'FILE is empty.');
  assert.equal(await refusal(gzipSync('x')), 'FILE is not an .osm.pbf extract but a gzip file.');
  assert.equal(
    await refusal('<osm version="0.6">'),
    'FILE is not an .osm.pbf extract but an XML or HTML file.',
  );
  assert.equal(
    await refusal('{"type":"FeatureCollection"}'),
    'FILE is not an .osm.pbf extract but a JSON file.',
  );
  assert.equal(await refusal('name,lat,lng\n'), 'FILE is not an .osm.pbf extract but a text file.');
  assert.match(await refusal(Buffer.from([0, 0, 0, 9, 1, 2, 3])), /unknown format/);
});

test('A file that is not there is refused in words.', async () => {
  await assert.rejects(openOsm('no-such-file.osm.pbf'), {
    name: 'ImportFileError',
    message: 'no-such-file.osm.pbf cannot be read: there is no such file.',
  });
});

test('A file that was cut off inside a block is refused, and never read as a smaller one.', async () => {
  const file = writeOsmPbf(TOWN);
  const boundaries = new Set<number>();
  for (let at = 0; at < file.length;) {
    const header = file.readUInt32BE(at);
    at += 4 + header + blobSize(file.subarray(at + 4, at + 4 + header));
    boundaries.add(at);
  }
  for (let length = 1; length < file.length; length += STEP) {
    if (boundaries.has(length)) continue;
    assert.match(await refusal(file.subarray(0, length)), /^FILE (is|cannot)/, String(length));
  }
});

/** The length of the block that follows a frame's header: its last field, in one or two bytes. */
function blobSize(header: Buffer): number {
  const at = header.lastIndexOf(0x18);
  const [low = 0, high = 0] = header.subarray(at + 1);
  return low < 0x80 ? low : (low & 0x7f) | (high << 7);
}

test('A file with any byte damaged is read or refused with a sentence, and never crashes or hangs.', async () => {
  const file = writeOsmPbf({ ...TOWN, raw: true });
  for (let at = 0; at < file.length; at += STEP) {
    const damaged = Buffer.from(file);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    await withFile(damaged, async (path) => {
      try {
        await readAll(await openOsm(path));
      } catch (error) {
        assert.ok(error instanceof ImportFileError, `byte ${at}: ${String(error)}`);
      }
    });
  }
});

test('Damage inside a compressed block is reported with the place of the block.', async () => {
  const file = writeOsmPbf(TOWN);
  const damaged = Buffer.from(file);
  damaged.fill(0x55, file.length - 20, file.length - 10);
  assert.match(await refusal(damaged), /^FILE is damaged: the block at byte \d+ of \d+ cannot be read/);
});

test('A file that needs more than a plain reader is refused with what it needs.', async () => {
  const message = await refusal(
    writeOsmPbf({ ...TOWN, features: ['OsmSchema-V0.6', 'HistoricalInformation'] }),
  );
  assert.match(message, /understands: HistoricalInformation/);
});
