import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newReadCounts } from '../../../src/import/place-draft.ts';
import { draftFromTags, judgeTags } from '../../../src/import/tags/draft-from-tags.ts';

function prominence(tags: Record<string, string>, squareMetres: number | null = null): number {
  const judgement = judgeTags(new Map(Object.entries({ name: 'Ada', ...tags })));
  assert.equal(judgement.kind, 'place');
  const dates = { changedAt: null, asOf: null };
  const object = { source: 'osm' as const, source_ref: 'node/1', lat: 47, lng: 9, ...dates, squareMetres };
  return draftFromTags(judgement, object, newReadCounts())?.prominence ?? NaN;
}

const FAMOUS = { wikidata: 'Q1', wikipedia: 'en:Ada' };
const COMPLETE = {
  phone: '+376 826 000',
  website: 'https://ada.example',
  opening_hours: '24/7',
  wheelchair: 'yes',
};

test('A cathedral that the world writes about stands far above a fuel station of which all is known.', () => {
  const names = Object.fromEntries('en de fr es it ja ru zh'.split(' ').map((tag) => [`name:${tag}`, 'Ada']));
  const cathedral = prominence({
    ...{ amenity: 'place_of_worship', building: 'cathedral' },
    ...FAMOUS,
    ...names,
  });
  const fuel = prominence({ amenity: 'fuel', ...COMPLETE, ...FAMOUS, brand: 'Ada', 'brand:wikidata': 'Q2' });
  assert.ok(cathedral >= 50 && fuel <= 8, `${cathedral} ${fuel}`);
  for (const amenity of ['pharmacy', 'atm', 'bank', 'police', 'toilets'])
    assert.ok(prominence({ amenity, ...COMPLETE, ...FAMOUS }) <= 8, amenity);
});

test('One of many peaks or lakes with an article stands behind a ski resort, unless many languages have a name for it.', () => {
  const lake = { natural: 'water', water: 'lake', 'name:ca': 'Ada', ...FAMOUS };
  const peak = { natural: 'peak', 'name:ca': 'Ada', ...FAMOUS };
  const resort = prominence({ landuse: 'winter_sports' });
  for (const one of [lake, peak]) assert.ok(prominence(one) <= resort + 2, `${prominence(one)} ${resort}`);
  const names = Object.fromEntries(
    'de en es fr it nl pt ru'.split(' ').map((code) => [`name:${code}`, 'Ada']),
  );
  for (const one of [lake, peak]) assert.ok(prominence({ ...one, ...names }) - prominence(one) >= 10);
});

test('A village church with an article in the local language stands behind a museum, a castle and a thermal bath.', () => {
  const church = { amenity: 'place_of_worship', building: 'church', 'name:ca': 'Ada', ...FAMOUS };
  const bath = prominence({ leisure: 'resort', fee: 'yes', ...FAMOUS });
  for (const sight of [prominence({ tourism: 'museum', ...FAMOUS }), bath])
    assert.ok(prominence(church) < sight, `${prominence(church)} ${sight}`);
  const names = { 'name:en': 'Ada', 'name:fr': 'Ada' };
  assert.ok(prominence({ ...church, ...names }) - prominence(church) >= 10);
});

test('Each thing that the map knows adds to it, and all of it together stays within 100.', () => {
  const castle = { historic: 'castle' };
  const least = prominence(castle);
  for (const more of [
    { wikidata: 'Q1' },
    { wikipedia: 'en:Ada' },
    { heritage: '2' },
    { 'name:en': 'Ada' },
    COMPLETE,
  ])
    assert.ok(prominence({ ...castle, ...more }) > least, JSON.stringify(more));
  assert.ok(prominence(castle, 840_000) > least);
  assert.ok(prominence({ ...castle, heritage: '1' }) > prominence({ ...castle, heritage: '2' }));
  const all = {
    ...castle,
    ...FAMOUS,
    ...COMPLETE,
    heritage: '1',
    'ref:whc': '1',
    image: 'https://example.com/a',
  };
  const languages = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`name:a${String.fromCharCode(97 + (at % 26))}`, 'Ada']),
  );
  assert.ok(prominence({ ...all, ...languages }, 1e12) <= 100);
});

test('A table of a chain stands behind one of its own, and a house of five stars before one of two.', () => {
  const table = { amenity: 'restaurant', ...COMPLETE };
  assert.ok(prominence({ ...table, brand: 'Ada', 'brand:wikidata': 'Q2' }) < prominence(table));
  assert.ok(prominence({ tourism: 'hotel', stars: '5' }) > prominence({ tourism: 'hotel', stars: '2' }));
});

test('Rooms and other parts of a house are no lodgings.', () => {
  const kind = (tags: Record<string, string>) => judgeTags(new Map(Object.entries(tags))).kind;
  for (const name of ['101', 'A 12'.replace(' ', ''), 'Room 3', 'Zimmer 7', '12b'])
    assert.equal(kind({ tourism: 'apartment', name }), 'parts', name);
  assert.equal(kind({ tourism: 'hotel', indoor: 'room', name: 'Suite Ada' }), 'parts');
  assert.equal(kind({ tourism: 'guest_house', room: 'bedroom', name: 'Ada' }), 'parts');
  assert.equal(kind({ tourism: 'hotel', name: '1898', website: 'https://1898.example' }), 'place');
  assert.equal(kind({ tourism: 'hotel', name: 'Hotel 101' }), 'place');
  assert.equal(kind({ amenity: 'cafe', indoor: 'room', name: '101' }), 'place');
});
