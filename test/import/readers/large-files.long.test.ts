import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openGeojson } from '../../../src/import/geojson/geojson-reader.ts';
import { classifyOverture, verticalAtPath } from '../../../src/import/overture/category-paths.ts';
import { openOverture } from '../../../src/import/overture/overture-reader.ts';
import { readLabelledPairs } from './labelled-pairs.ts';
import { readAll } from './read-all.ts';
import { needsSharedFile, sharedFile } from '../shared-data.ts';

const FOOD = 'food-places-worldwide.geojson.gz';
const CATEGORIES = 'overture/overture_categories.csv';
const PAIRS = 'overture/sample_3k_overture_places.parquet';

test(
  '54,196 real food places in 164 countries are read without one being lost unseen.',
  needsSharedFile(FOOD),
  async () => {
    const { places, counts } = await readAll(await openGeojson(sharedFile(FOOD)));
    assert.equal(places.length + counts.vacant + counts.unnamed, 54_196);
    assert.equal(counts.without_position, 0);
    assert.ok(counts.vacant < 30, String(counts.vacant));
    const withPhone = places.filter(({ phone }) => phone !== null);
    assert.ok(withPhone.length > 23_000, String(withPhone.length));
    for (const { phone } of withPhone) assert.match(phone ?? '', /^\+[1-9]\d{6,14}$/);
    assert.ok(places.filter(({ hours_text }) => hours_text !== null).length > 36_000);
    assert.equal(new Set(places.map(({ source_ref }) => source_ref)).size, places.length);
  },
);

test(
  'All 2,117 category paths are mapped, and food and lodging also by the bare code.',
  needsSharedFile(CATEGORIES),
  async () => {
    const text = await readFile(sharedFile(CATEGORIES), 'utf8');
    const paths = [...text.matchAll(/\[([^\]]+)\]/g)].map(([, path = '']) =>
      path.split(',').map((code) => code.trim()),
    );
    assert.equal(paths.length, 2117);
    for (const path of paths) {
      const vertical = verticalAtPath(path);
      if (path[0] !== 'eat_and_drink' && path[0] !== 'accommodation') continue;
      assert.equal(classifyOverture([path.at(-1) ?? ''], [])?.vertical ?? null, vertical, path.join(' > '));
    }
    const kept = paths.filter((path) => verticalAtPath(path) !== null).length;
    assert.ok(kept > 900 && kept < 1200, String(kept));
  },
);

test('The labelled pairs are read with both sides.', needsSharedFile(PAIRS), async () => {
  const pairs = await readLabelledPairs(sharedFile(PAIRS));
  assert.deepEqual([pairs.length, pairs.filter(({ same }) => same).length], [3000, 1809]);
  for (const { record, base } of pairs) {
    assert.ok(record.names?.primary);
    assert.ok(base.names?.primary);
  }
  await assert.rejects(
    openOverture(sharedFile(PAIRS)),
    /not a file of Overture's places: it has no column geometry/,
  );
});
