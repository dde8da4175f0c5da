import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { openFoursquare } from '../../../src/import/foursquare/foursquare-reader.ts';
import { openOverture } from '../../../src/import/overture/overture-reader.ts';
import { readAll } from './read-all.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waypost-parquet-'));
});
after(() => rm(folder, { recursive: true }));

type ColumnType = 'STRING' | 'DOUBLE' | 'JSON' | 'BYTE_ARRAY';

/** Writes rows as a parquet file in two groups of rows, so that a reader can skip one. */
async function parquet(
  name: string,
  types: Readonly<Record<string, ColumnType>>,
  rows: readonly Record<string, unknown>[],
) {
  const columnData = Object.entries(types).map(([column, type]) => ({
    name: column,
    type,
    data: rows.map((row) => row[column] ?? null),
    nullable: true,
  }));
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 2 })));
  return path;
}

const FSQ_TYPES: Record<string, ColumnType> = {
  ...{ fsq_place_id: 'STRING', name: 'STRING', latitude: 'DOUBLE', longitude: 'DOUBLE', address: 'STRING' },
  ...{ locality: 'STRING', region: 'STRING', postcode: 'STRING', admin_region: 'STRING', country: 'STRING' },
  ...{ date_created: 'STRING', date_refreshed: 'STRING', date_closed: 'STRING', tel: 'STRING' },
  ...{ website: 'STRING', email: 'STRING', fsq_category_ids: 'JSON', fsq_category_labels: 'JSON' },
  ...{ placemaker_url: 'STRING', unresolved_flags: 'JSON' },
};

const DINER = {
  fsq_place_id: '4b0588c3f964a520a1b322e3',
  name: 'Trattoria Esempio',
  latitude: 35.912,
  longitude: 14.504,
  address: '12 Tower Rd',
  locality: 'Sliema',
  postcode: 'SLM 1600',
  country: 'MT',
  date_created: '2012-01-01',
  date_refreshed: '2024-08-15',
  tel: '+356 2133 0000',
  website: 'https://esempio.example',
  email: 'ciao@esempio.example',
  fsq_category_labels: [
    'Dining and Drinking > Restaurant > Italian Restaurant',
    'Dining and Drinking > Bar > Wine Bar',
  ],
};
const HOTEL = {
  ...{ fsq_place_id: 'h1', name: 'Hotel Esempio', latitude: 35.9, longitude: 14.5, country: 'MT' },
  ...{ date_refreshed: '2023-01-01', date_closed: '2023-06-30' },
  fsq_category_labels: ['Travel and Transportation > Lodging > Hotel'],
};
const CAFE = {
  ...{ fsq_place_id: 'c1', name: 'Caffè Roma', latitude: 41.9, longitude: 12.5, country: 'IT' },
  ...{ date_refreshed: '2024-01-01' },
  fsq_category_labels: ['Dining and Drinking > Cafe, Coffee, and Tea House > Coffee Shop'],
};
const OFFICE = {
  ...CAFE,
  fsq_place_id: 'o1',
  fsq_category_labels: ['Business and Professional Services > Office'],
};
const TWICE = { ...CAFE, fsq_place_id: 'd1', unresolved_flags: ['duplicate'] };

test('places of Foursquare become drafts with category, contacts, dates and closure', async () => {
  const { places, counts } = await readAll(
    await openFoursquare(await parquet('fsq.parquet', FSQ_TYPES, [DINER, HOTEL, CAFE, OFFICE, TWICE])),
  );
  assert.deepEqual(
    places.map(({ source, source_ref, vertical, categories }) => [source, source_ref, vertical, categories]),
    [
      ['foursquare', DINER.fsq_place_id, 'restaurant', ['italian_restaurant', 'wine_bar']],
      ['foursquare', 'h1', 'hotel', ['hotel']],
      ['foursquare', 'c1', 'cafe', ['coffee_shop']],
    ],
  );
  const [diner, hotel] = places;
  assert.deepEqual(
    [
      diner?.phone,
      diner?.website,
      diner?.email,
      diner?.address,
      diner?.city,
      diner?.postcode,
      diner?.country,
    ],
    [
      '+35621330000',
      'https://esempio.example',
      'ciao@esempio.example',
      '12 Tower Rd',
      'Sliema',
      'SLM 1600',
      'MT',
    ],
  );
  assert.deepEqual([diner?.cuisine, diner?.observed_at], [['italian'], new Date('2024-08-15T00:00:00Z')]);
  assert.equal(diner?.closed, null);
  assert.deepEqual(hotel?.closed, {
    note: 'Marked as disused in the map: date_closed=2023-06-30.',
    observed_at: new Date('2023-06-30T00:00:00Z'),
  });
  assert.deepEqual([counts.doubtful, counts.closed], [1, 1]);
});

test('a folder of many files is read, of a country or a box', async () => {
  await parquet('release/part-0.parquet', FSQ_TYPES, [DINER, HOTEL]);
  await parquet('release/sub/part-1.parquet', FSQ_TYPES, [CAFE]);
  const namesFor = async (filter: NonNullable<Parameters<typeof openFoursquare>[1]>['filter']) => {
    const { places } = await readAll(
      await openFoursquare(join(folder, 'release'), { ...(filter && { filter }) }),
    );
    return places.map(({ name }) => name);
  };
  assert.deepEqual(await namesFor(undefined), ['Trattoria Esempio', 'Hotel Esempio', 'Caffè Roma']);
  assert.deepEqual(await namesFor({ countries: ['IT'], box: null }), ['Caffè Roma']);
  const box = { west: 14.502, south: 35, east: 15, north: 36 };
  assert.deepEqual(await namesFor({ countries: [], box }), ['Trattoria Esempio']);
});

test('a file of another data set is refused, and so is a folder without files', async () => {
  const other = await parquet('other/other.parquet', { id: 'STRING' }, [{ id: 'x' }]);
  await assert.rejects(
    openFoursquare(other),
    /but not a file of Foursquare Open Source Places: it has no column fsq_place_id, name/,
  );
  await assert.rejects(openOverture(join(folder, 'release')), /but not a file of Overture's places/);
  await mkdir(join(folder, 'empty'));
  await assert.rejects(openFoursquare(join(folder, 'empty')), /contains no \.parquet file/);
  await assert.rejects(openFoursquare(join(folder, 'missing')), /there is no such file/);
});

/** A point as well-known binary. */
function point(lng: number, lat: number): Uint8Array {
  const bytes = Buffer.alloc(21);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(1, 1);
  bytes.writeDoubleLE(lng, 5);
  bytes.writeDoubleLE(lat, 13);
  return bytes;
}

const OVERTURE_TYPES: Record<string, ColumnType> = {
  ...{ id: 'STRING', geometry: 'BYTE_ARRAY', names: 'JSON', categories: 'JSON', taxonomy: 'JSON' },
  ...{ basic_category: 'STRING', confidence: 'DOUBLE', websites: 'JSON', phones: 'JSON', addresses: 'JSON' },
  ...{ operating_status: 'STRING', sources: 'JSON' },
};

test('a release of Overture with its present schema is read from a folder, by country', async () => {
  const place = (id: string, name: string, country: string, [lng, lat]: [number, number]) => ({
    id,
    geometry: point(lng, lat),
    names: { primary: name, common: null, rules: null },
    taxonomy: {
      primary: 'italian_restaurant',
      hierarchy: ['food_and_drink', 'restaurant', 'italian_restaurant'],
      alternates: null,
    },
    basic_category: 'restaurant',
    confidence: 0.9,
    addresses: [{ freeform: '1 Main St', locality: 'Town', postcode: null, region: null, country }],
    operating_status: 'open',
    sources: [
      {
        property: '',
        dataset: 'meta',
        license: 'CDLA-Permissive-2.0',
        update_time: '2025-06-30T07:00:00.000Z',
      },
    ],
  });
  await parquet('theme=places/type=place/part-00000.zstd.parquet', OVERTURE_TYPES, [
    place('m1', 'Da Gino', 'MT', [14.5, 35.9]),
    place('i1', 'Da Pino', 'IT', [12.5, 41.9]),
  ]);
  await parquet('theme=places/type=place/part-00001.zstd.parquet', OVERTURE_TYPES, [
    place('m2', 'Da Tino', 'MT', [14.4, 35.9]),
  ]);
  const { places } = await readAll(
    await openOverture(join(folder, 'theme=places'), { filter: { countries: ['MT'], box: null } }),
  );
  assert.deepEqual(
    places.map(({ source_ref, name, vertical, cuisine, observed_at }) => [
      source_ref,
      name,
      vertical,
      cuisine,
      observed_at,
    ]),
    [
      ['m1', 'Da Gino', 'restaurant', ['italian'], new Date('2025-06-30T07:00:00Z')],
      ['m2', 'Da Tino', 'restaurant', ['italian'], new Date('2025-06-30T07:00:00Z')],
    ],
  );
});
