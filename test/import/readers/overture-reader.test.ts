import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ImportFileError } from '../../../src/import/import-file-error.ts';
import { classifyOverture } from '../../../src/import/overture/category-paths.ts';
import { openOverture } from '../../../src/import/overture/overture-reader.ts';
import { readAll, withFile } from './read-all.ts';

// Five invented places in the columns of Overture's places theme, geometry as well-known binary.
const MADE_UP = join(import.meta.dirname, 'made-up-places.parquet');

test('Places of the theme become drafts with names, categories, contacts and position.', async () => {
  const { places, counts } = await readAll(await openOverture(MADE_UP));
  assert.deepEqual(
    places.map(({ source_ref, vertical, categories }) => [source_ref, vertical, categories]),
    [
      ['08f00000-0001', 'restaurant', ['tapas_bar', 'wine_bar', 'eat_and_drink']],
      ['08f00000-0002', 'restaurant', ['japanese_restaurant']],
    ],
  );
  const [tavern, canteen] = places;
  assert.deepEqual([tavern?.lat, tavern?.lng, tavern?.country], [41.3851, 2.1734, 'ES']);
  assert.deepEqual(
    [tavern?.phone, tavern?.email, tavern?.postcode],
    ['+34932000000', 'hola@taverna.example', '08001'],
  );
  assert.deepEqual(tavern?.names, { en: 'Example Tavern', ca: 'Taverna de l’Exemple' });
  assert.deepEqual(tavern.touched_at, new Date('2025-03-01T00:00:00Z'));
  assert.deepEqual(canteen?.cuisine, ['japanese']);
  assert.deepEqual([counts.of_interest, counts.unnamed], [4, 1]);
});

test('A place that the source calls permanently closed is a closed place with the date of the source.', async () => {
  const { places, counts } = await readAll(await openOverture(MADE_UP));
  assert.deepEqual(places[1]?.closed, {
    note: 'Called closed in the map: operating_status=permanently_closed.',
    observed_at: new Date('2024-11-05T00:00:00Z'),
  });
  assert.equal(counts.closed, 1);
});

test('A place that the source doubts is counted and left out, unless the bound is lowered.', async () => {
  assert.equal((await readAll(await openOverture(MADE_UP))).counts.doubtful, 1);
  const all = await readAll(await openOverture(MADE_UP, { confidenceMin: 0 }));
  assert.deepEqual([all.counts.doubtful, all.counts.places], [0, 3]);
});

async function refusal(content: string | Buffer): Promise<string> {
  return withFile(content, async (path) => {
    try {
      await readAll(await openOverture(path));
    } catch (error) {
      assert.ok(error instanceof ImportFileError, String(error));
      return error.message.replaceAll(path, 'FILE');
    }
    return assert.fail('the file was accepted');
  });
}

test('A file that is no parquet, or only a part of one, is refused with a sentence.', async () => {
  const whole = await readFile(MADE_UP);
  assert.equal(await refusal(''), 'FILE is empty.');
  assert.equal(await refusal('a,b\n'), 'FILE is not a parquet file but a text file.');
  for (let length = 4; length < whole.length; length += 97) {
    assert.match(await refusal(whole.subarray(0, length)), /^FILE is truncated/, String(length));
  }
  const damaged = Buffer.from(whole);
  damaged.fill(0xff, whole.length - 300, whole.length - 200);
  assert.match(await refusal(damaged), /^FILE is (damaged|parquet)/);
});

test('A bare category code names its kind last, and the whole path decides where it is known.', () => {
  assert.equal(classifyOverture(['afghan_restaurant'], [])?.vertical, 'restaurant');
  assert.equal(classifyOverture(['retail', 'pharmacy'], [])?.vertical, 'clinic');
  assert.equal(classifyOverture(['automotive', 'auto_body_shop'], []), null);
  assert.equal(classifyOverture(['dermatologist'], ['health_and_medical'])?.vertical, 'clinic');
  assert.equal(classifyOverture(['lawyer'], ['cafe']), null);
});
