import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CATEGORY_KEYS, CATEGORY_TABLE, classify, classifyWord } from '../../src/import/categories.ts';
import { osmiumFilter } from './osmium-filter.ts';

import { VERTICALS } from '../../src/import/verticals.ts';

function classified(tags: Record<string, string>) {
  return classify(new Map(Object.entries(tags)));
}

test('The vertical comes from the first rule that matches, and the other matches are kept behind it.', () => {
  assert.deepEqual(classified({ amenity: 'bar', tourism: 'hotel', leisure: 'spa' }), {
    vertical: 'hotel',
    categories: ['hotel', 'spa', 'bar'],
  });
});

test('The order of the tags makes no difference.', () => {
  const tags = { historic: 'castle', tourism: 'museum', amenity: 'cafe' };
  const reversed = Object.fromEntries(Object.entries(tags).toReversed());
  assert.deepEqual(classified(tags), classified(reversed));
});

test('Fast food is a restaurant and keeps its own category.', () => {
  assert.deepEqual(classified({ amenity: 'fast_food' }), {
    vertical: 'restaurant',
    categories: ['fast_food'],
  });
});

test('A resort with a fee is a sight, another one a hotel, and a sports centre is also what its sport makes it.', () => {
  assert.deepEqual(classified({ leisure: 'resort', fee: 'yes' }), {
    vertical: 'attraction',
    categories: ['resort'],
  });
  assert.deepEqual(classified({ leisure: 'resort' }), { vertical: 'hotel', categories: ['resort'] });
  assert.deepEqual(classified({ leisure: 'sports_centre', sport: 'skiing' }), {
    vertical: 'attraction',
    categories: ['ski_resort'],
  });
  assert.deepEqual(classified({ leisure: 'sports_centre', sport: 'tennis;swimming' }), {
    vertical: 'gym',
    categories: ['sports_centre', 'swimming_pool'],
  });
});

test('A tag with several values matches each of them.', () => {
  assert.deepEqual(classified({ amenity: 'nightclub; restaurant' }), {
    vertical: 'nightclub',
    categories: ['nightclub', 'restaurant'],
  });
});

test('Any shop is a shop, a vacant one is not, and a phrase in the tag is not made a category.', () => {
  assert.deepEqual(classified({ shop: 'cheese' }), { vertical: 'shop', categories: ['cheese'] });
  assert.deepEqual(classified({ shop: 'Old Store & Co' }), { vertical: 'shop', categories: ['shop'] });
  assert.equal(classified({ shop: 'vacant' }), null);
  assert.equal(classified({ shop: 'no' }), null);
});

test('Objects that are of no use to a traveller are left out.', () => {
  for (const tags of [
    { highway: 'residential' },
    { amenity: 'parking_space' },
    { natural: 'spring' },
    { historic: 'memorial', memorial: 'stolperstein' },
    { tourism: 'information', information: 'guidepost' },
    { office: 'lawyer' },
  ]) {
    assert.equal(classified(tags), null, JSON.stringify(tags));
  }
});

test('Every vertical can be reached, and no value stands in two rows.', () => {
  const reached = new Set(CATEGORY_TABLE.map(([vertical]) => vertical));
  assert.deepEqual([...reached].toSorted(), VERTICALS.toSorted());
  const values = CATEGORY_TABLE.flatMap(([, key, entries]) =>
    entries.split(' ').map((entry) => `${key}=${entry.split('>')[0] ?? ''}`),
  );
  assert.equal(new Set(values).size, values.length);
});

test('The filter for osmium names every key of the table, and a category names all tags that lead to it.', () => {
  const filter = osmiumFilter();
  assert.equal(filter.length, CATEGORY_KEYS.length);
  assert.ok(filter.includes('nwr/shop'));
  assert.deepEqual(osmiumFilter('dentist'), [
    'nwr/amenity=dentist',
    'nwr/shop=dentist',
    'nwr/healthcare=dentist',
  ]);
});

test('A single word finds its category, whatever tag key it belongs to.', () => {
  assert.deepEqual(classifyWord('Guest House'), { vertical: 'guesthouse', categories: ['guesthouse'] });
  assert.deepEqual(classifyWord('pub'), { vertical: 'bar', categories: ['pub'] });
  assert.equal(classifyWord('yes'), null);
  assert.equal(classifyWord('vegan_friendly'), null);
});
