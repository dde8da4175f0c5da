import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FeatureSplitter } from '../../../src/import/geojson/feature-splitter.ts';
import { openGeojson } from '../../../src/import/geojson/geojson-reader.ts';
import { ImportFileError } from '../../../src/import/import-file-error.ts';
import { tries } from '../../harness/tier.ts';
import { readAll, withFile } from './read-all.ts';

function feature(
  properties: Record<string, unknown>,
  geometry: unknown = { type: 'Point', coordinates: [2, 48] },
) {
  return { type: 'Feature', properties, geometry };
}

function collection(...features: unknown[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features });
}

function readText(content: string | Buffer) {
  return withFile(content, async (path) => readAll(await openGeojson(path)));
}

const CAFE = {
  '@type': 'node',
  '@id': 7,
  name: 'Chez "{Exemple}"',
  amenity: 'cafe',
  '@timestamp': 1_600_000_000,
};

test('Features with map tags become the same drafts as the map itself gives.', async () => {
  const ring = [
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 2],
    [0, 0],
  ];
  const { places, counts } = await readText(
    collection(
      feature(CAFE),
      feature(
        { '@type': 'way', '@id': 8, tourism: 'hotel', name: 'H' },
        { type: 'MultiPolygon', coordinates: [[ring]] },
      ),
      feature({ '@type': 'node', '@id': 9, highway: 'crossing', name: 'No place' }),
      feature({ '@type': 'node', '@id': 10, amenity: 'bar' }),
      feature({ '@type': 'node', '@id': 11, amenity: 'bar', name: 'Nowhere' }, null),
    ),
  );
  assert.deepEqual(
    places.map(({ source, source_ref, name, lat, lng }) => [source, source_ref, name, lat, lng]),
    [
      ['geojson', 'node/7', 'Chez "{Exemple}"', 48, 2],
      ['geojson', 'way/8', 'H', 1, 1],
    ],
  );
  assert.deepEqual(places[0]?.touched_at, new Date(1_600_000_000_000));
  assert.deepEqual([counts.places, counts.unnamed, counts.without_position], [2, 1, 1]);
});

test('Keys joined by an underscore are read as the tags they stand for.', async () => {
  const { places } = await readText(
    collection(
      feature({
        _id: 5,
        _type: 'way',
        name: 'Beispiel',
        icon: 'maki_restaurant-pizza',
        addr_street: 'Musterweg 1',
        addr_country: 'DE',
        contact_phone: '+49 30 901820',
        opening_hours: 'Mo-Fr 12:00-20:00',
      }),
    ),
  );
  const [place] = places;
  assert.equal(place?.source_ref, 'way/5');
  assert.deepEqual([place.vertical, place.address, place.country], ['restaurant', 'Musterweg 1', 'DE']);
  assert.deepEqual([place.phone, place.hours_text], ['+4930901820', 'Mo-Fr 12:00-20:00']);
});

test('A list with properties of its own is read by their usual spellings.', async () => {
  const { places } = await readText(
    collection(
      feature({
        ...{
          Title: 'Da Gino',
          Type: 'Italian restaurant',
          Telephone: '+356 2133 0000',
          URL: 'https://gino.example',
        },
        ...{ Address: '12 Tower Road', ZIP: 'SLM 1600', City: 'Sliema', Hours: 'Mo-Fr 12:00-22:00' },
        ...{ 'Last updated': '2024-05-01', name_it: 'Da Gino il Vecchio' },
      }),
      feature({ name: 'Bar Blu', category: 'bar', status: 'permanently closed' }),
      // An object of OpenStreetMap keeps its tags: an area is not a suburb.
      { ...feature({ name: 'Park', leisure: 'park', area: 'yes' }), id: 'way/5' },
    ),
  );
  const [gino, blu, park] = places;
  assert.deepEqual(
    [gino?.name, gino?.vertical, gino?.phone, gino?.website, gino?.address, gino?.postcode, gino?.city],
    ['Da Gino', 'restaurant', '+35621330000', 'https://gino.example', '12 Tower Road', 'SLM 1600', 'Sliema'],
  );
  assert.deepEqual(
    [gino?.hours_text, gino?.observed_at, gino?.names],
    ['Mo-Fr 12:00-22:00', new Date('2024-05-01T00:00:00Z'), { it: 'Da Gino il Vecchio' }],
  );
  assert.equal(blu?.closed?.note, 'Marked as disused in the map: status=permanently closed.');
  assert.equal(park?.area, null);
});

test('References are understood as the usual tools write them.', async () => {
  const ids = ['n1', 'w2', 'a6', 'a7', 'node/4', 'my-own'];
  const named = ids.map((id) => ({ ...feature({ name: 'X', amenity: 'bar' }), id }));
  const { places } = await readText(collection(...named, feature({ name: 'X', amenity: 'bar' })));
  const references = places.map(({ source_ref }) => source_ref);
  const expected = ['node/1', 'way/2', 'way/3', 'relation/3', 'node/4', 'my-own', 'at/48.00000,2.00000/X'];
  assert.deepEqual(references, expected);
});

test('A compressed file is read like a plain one, by its content and not by its name.', async () => {
  const text = collection(feature(CAFE), feature(CAFE));
  assert.deepEqual(await readText(gzipSync(text)), await readText(text));
});

test('Features are found wherever the pieces of the file happen to be cut.', () => {
  const text = Buffer.from(
    `\uFEFF{"features_": [1], "x": {"features": [{}]}, "features" : [ {"a":"\\"}{[é"}, {} ], "type": "FeatureCollection"}\n`,
  );
  for (let size = 1; size <= text.length; size++) {
    const splitter = new FeatureSplitter('FILE');
    const found: string[] = [];
    for (let at = 0; at < text.length; at += size) {
      for (const bytes of splitter.push(text.subarray(at, at + size))) found.push(bytes.toString());
    }
    splitter.end();
    assert.deepEqual(found, ['{"a":"\\"}{[é"}', '{}'], String(size));
  }
});

async function refusal(content: string | Buffer): Promise<string> {
  return withFile(content, async (path) => {
    try {
      await readAll(await openGeojson(path));
    } catch (error) {
      assert.ok(error instanceof ImportFileError, String(error));
      return error.message.replaceAll(path, 'FILE');
    }
    return assert.fail('the file was accepted');
  });
}

test('Broken JSON is refused with a sentence.', async () => {
  const whole = collection(feature(CAFE), feature(CAFE));
  assert.equal(await refusal(''), 'FILE is empty.');
  assert.match(await refusal('name,lat\n'), /not valid JSON/);
  assert.match(await refusal('[1,2]'), /not a GeoJSON FeatureCollection/);
  assert.match(await refusal('{"type":"Topology","features":[]}'), /not a GeoJSON FeatureCollection/);
  assert.match(await refusal(whole.replace('"cafe"', 'cafe')), /feature 1 cannot be read/);
  assert.match(
    await refusal(whole.replace('},{"type":"Feature"', '} {"type":"Feature"')),
    /between its features/,
  );
  assert.match(await refusal(`${whole.slice(0, -2)},]}`), /between its features/);
  assert.match(await refusal(`${whole}}`), /not valid JSON around/);
});

test('A file that was cut off anywhere is refused.', async () => {
  const whole = collection(feature(CAFE), feature(CAFE));
  for (let length = 1; length < whole.length; length += tries({ quick: 7, long: 1 })) {
    assert.match(await refusal(whole.slice(0, length)), /^FILE is/, String(length));
  }
  const packed = gzipSync(whole);
  assert.match(await refusal(packed.subarray(0, packed.length - 9)), /truncated/);
  const damaged = Buffer.from(packed);
  damaged.fill(0, 20, 40);
  assert.match(await refusal(damaged), /damaged|cut off/);
});
