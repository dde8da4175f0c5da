import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsSchema, wishesMet } from '../../../src/directory/place/facts.ts';
import { factsFromTags } from '../../../src/import/tags/facts.ts';
import type { Vertical } from '../../../src/import/verticals.ts';

function facts(tags: Record<string, string>, vertical: Vertical = 'restaurant') {
  const read = factsFromTags(new Map(Object.entries(tags)), vertical);
  assert.deepEqual(factsSchema.parse(read), read);
  return read;
}

test('The facts that travellers ask for are read from the tags of a restaurant.', () => {
  const read = facts({
    wheelchair: 'limited',
    internet_access: 'wlan',
    'internet_access:fee': 'customers',
    outdoor_seating: 'terrace',
    'diet:vegan': 'yes',
    'diet:vegetarian': 'only',
    'diet:halal': 'no',
    smoking: 'outside',
    'payment:visa': 'yes',
    'payment:cash': 'only',
    'payment:bitcoin': 'no',
    takeaway: 'yes',
    delivery: 'no',
    reservation: 'recommended',
    dog: 'leashed',
    brand: 'Vapiano',
    'brand:wikidata': 'Q688285',
    operator: 'Ada  AG',
    'addr:postcode': '150-0001',
    level: '0;1',
    stars: '3',
  });
  assert.deepEqual(read, {
    wheelchair: 'limited',
    internet_access: 'free',
    outdoor_seating: 'yes',
    diets: ['vegan', 'vegetarian'],
    only_diets: ['vegetarian'],
    smoking: 'outside',
    payment: ['cash', 'visa'],
    takeaway: 'yes',
    delivery: 'no',
    reservation: 'recommended',
    dogs: 'leashed',
    brand: 'Vapiano',
    brand_wikidata: 'Q688285',
    operator: 'Ada AG',
    postcode: '150-0001',
    level: '0;1',
  });
  assert.deepEqual(wishesMet(read), [
    ...[
      'wifi',
      'outdoor_seating',
      'vegan',
      'vegetarian',
      'takeaway',
      'no_smoking',
      'cards',
      'reservation',
      'dogs',
    ],
  ]);
});

test('A hotel has stars and rooms, a church its faith, a sight its articles.', () => {
  assert.deepEqual(facts({ stars: '4S', rooms: '120', capacity: '250' }, 'hotel'), {
    stars: 4,
    rooms: 120,
    capacity: 250,
  });
  assert.deepEqual(
    facts(
      {
        religion: 'christian',
        denomination: 'roman_catholic',
        fee: 'yes',
        charge: '5 EUR',
        wikidata: 'Q1;Q2',
        wikipedia: 'https://de.wikipedia.org/wiki/Schloss_Vaduz',
        heritage: '2',
        image: 'https://example.com/a.jpg',
        description: 'Two\nlines',
        'description:en': 'not needed',
      },
      'attraction',
    ),
    {
      religion: 'christian',
      denomination: 'roman_catholic',
      fee: 'yes',
      charge: '5 EUR',
      wikidata: 'Q1',
      wikipedia: 'de:Schloss Vaduz',
      heritage: '2',
      image: 'https://example.com/a.jpg',
      description: 'Two lines',
    },
  );
  assert.equal(facts({ 'description:en': 'In English', 'description:fr': 'non' }).description, 'In English');
});

test('A value that is not of the known form is left out.', () => {
  const odd = {
    wheelchair: 'perhaps',
    internet_access: 'terminal',
    outdoor_seating: 'sometimes',
    'diet:vegetarian': 'Yves',
    'diet:vegan': 'limited',
    smoking: 'ask',
    'payment:交通系電子マネー': 'yes',
    takeaway: 'maybe',
    stars: 'many',
    rooms: 'about 20',
    capacity: '0',
    fee: '10€',
    charge: 'see website',
    'brand:wikidata': 'Vapiano',
    level: 'ground floor',
    religion: '*',
    image: 'File:Nendeln Kirche.jpg',
    'addr:postcode': 'unknown',
    wikidata: 'q1',
    wikipedia: 'Schloss Vaduz',
    heritage: 'maybe',
  };
  assert.deepEqual(facts(odd, 'hotel'), {});
  for (const image of [
    'javascript:alert(1)',
    'ftp://example.com/a.jpg',
    'https://user:pass@example.com/a.jpg',
  ])
    assert.deepEqual(facts({ image }), {}, image);
});

test('A long description ends at a word.', () => {
  const { description = '' } = facts({ description: 'word '.repeat(200) });
  assert.ok(description.length <= 500 && description.endsWith('word…'), description.slice(-20));
});
