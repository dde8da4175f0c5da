import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlaceDraft, type ReadCounts, newReadCounts } from '../../../src/import/place-draft.ts';
import { countJudgement, draftFromTags, judgeTags } from '../../../src/import/tags/draft-from-tags.ts';

const CHANGED = new Date('2024-05-06T07:08:09Z');
const PARIS = { lat: 48.8566, lng: 2.3522 };
const BERLIN = { lat: 52.52, lng: 13.405 };

function draft(
  tags: Record<string, string>,
  at = PARIS,
  counts: ReadCounts = newReadCounts(),
  changedAt: Date | null = CHANGED,
): PlaceDraft {
  const judgement = judgeTags(new Map(Object.entries({ name: 'Chez Exemple', amenity: 'cafe', ...tags })));
  assert.equal(judgement.kind, 'place');
  const object = {
    source: 'osm' as const,
    source_ref: 'node/1',
    ...at,
    changedAt,
    asOf: null,
    squareMetres: null,
  };
  const written = draftFromTags(judgement, object, counts);
  assert.ok(written);
  return written;
}

test('A phone number is kept in E.164 form, or else as published, and never completed with a country code.', () => {
  const counts = newReadCounts();
  for (const phone of ['01 42 68 53 00', '+33 123']) {
    const written = draft({ phone }, PARIS, counts);
    assert.deepEqual([written.phone, written.facts.phone_as_published], [null, phone]);
  }
  assert.equal(counts.phones_as_published, 2);
  assert.equal(draft({ phone: '+33 (0)1 42 68 53 00' }).phone, '+33142685300');
});

test('Of several phone numbers the first complete one is taken, and an incomplete one is kept beside it.', () => {
  const counts = newReadCounts();
  const tags = { phone: '01 42 68 53 00; +33 1 42 68 53 01', 'contact:mobile': '+33 6 12 34 56 78' };
  const { phone, facts } = draft(tags, PARIS, counts);
  assert.deepEqual([phone, facts.phone_as_published], ['+33142685301', '01 42 68 53 00']);
  assert.equal(counts.phones_as_published, 1);
});

test('Names are kept by language, and what only looks like a language is not one.', () => {
  const { name, names, other_names } = draft({
    name: 'Chez  Exemple ',
    'name:en': 'Example’s',
    'name:zh-Hant': '例子',
    'name:etymology': 'somebody',
    'name:left': 'no',
    alt_name: 'Exemple;Le Ex',
  });
  assert.equal(name, 'Chez Exemple');
  assert.deepEqual(names, { en: 'Example’s', 'zh-Hant': '例子' });
  assert.deepEqual(other_names, ['Exemple', 'Le Ex']);
});

test('A name in another script gets a Latin form, and a Latin name with accents gets none.', () => {
  assert.equal(draft({ name: 'Кафе Пушкинъ' }).latin_name, 'Kafe Pushkin');
  assert.equal(draft({ name: 'Ταβέρνα' }).latin_name, 'Taverna');
  assert.equal(draft({ name: 'さくら食堂' }).latin_name, 'sakura Shi Tang');
  assert.equal(draft({ name: 'さくら食堂', 'name:ja-Latn': 'Sakura Shokudō' }).latin_name, 'Sakura Shokudō');
  assert.equal(draft({ name: 'Café de l’Été 24/7' }).latin_name, null);
});

test('A name in any language is a name; without one the object is not a place.', () => {
  assert.equal(draft({ name: '', 'name:fr': 'Le Seul' }).name, 'Le Seul');
  assert.equal(judgeTags(new Map([['amenity', 'cafe']])).kind, 'unnamed');
});

test('The house number stands where the country writes it.', () => {
  const tags = { 'addr:street': 'Rue Inventée', 'addr:housenumber': '5' };
  assert.equal(draft(tags).address, '5 Rue Inventée');
  assert.equal(draft({ ...tags, 'addr:street': 'Musterweg' }, BERLIN).address, 'Musterweg 5');
});

test('The country is what the tags say, not what the position suggests.', () => {
  assert.equal(draft({}).country, null);
  assert.equal(draft({ 'addr:country': 'fr' }).country, 'FR');
  assert.equal(draft({ 'addr:country': 'France' }).country, null);
  const { postcode, city, area } = draft({
    'addr:city': 'Paris',
    'addr:postcode': '75004',
    'addr:quarter': 'Marais',
  });
  assert.deepEqual([postcode, city, area], ['75004', 'Paris', 'Marais']);
});

test('The date of the hours is that of their check, then of the object’s check, then of its last change.', () => {
  const touched = (tags: Record<string, string>) => draft(tags).touched_at?.toISOString().slice(0, 10);
  assert.equal(touched({}), '2024-05-06');
  assert.equal(touched({ check_date: '2023-04' }), '2023-04-01');
  assert.equal(touched({ check_date: '2023-04-05', 'check_date:opening_hours': '2022-01-02' }), '2022-01-02');
  assert.equal(touched({ check_date: 'last week' }), '2024-05-06');
  assert.equal(touched({ check_date: '2023-02-40' }), '2024-05-06');
});

test('A check that is dated after the change that wrote it down is not believed.', () => {
  assert.deepEqual(draft({ check_date: '2204-05-06' }).touched_at, CHANGED);
});

test('A website without a scheme is read as http, and what is no web address is dropped and counted.', () => {
  const counts = newReadCounts();
  assert.equal(draft({ website: 'www.exemple.example/menu' }).website, 'http://www.exemple.example/menu');
  assert.equal(draft({ website: 'https://a.example;https://b.example' }).website, 'https://a.example');
  assert.equal(draft({ website: 'javascript:alert(1)' }, PARIS, counts).website, null);
  assert.equal(draft({ website: 'ask inside' }, PARIS, counts).website, null);
  assert.equal(counts.websites_dropped, 2);
});

test('A booking page is taken from its own tag, or from an address on a booking platform.', () => {
  assert.equal(
    draft({ 'website:booking': 'https://exemple.example/book' }).booking_url,
    'https://exemple.example/book',
  );
  const page = 'https://www.sevenrooms.com/reservations/exemple';
  assert.equal(draft({ 'contact:website': page }).booking_url, page);
  assert.equal(draft({ website: 'https://www.sevenrooms.com/' }).booking_url, null);
  assert.equal(draft({ website: 'https://sevenrooms.com.evil.example/reservations/x' }).booking_url, null);
  assert.equal(draft({ reservation: 'required' }).booking_url, null);
});

test('An award is kept only with the page that says so.', () => {
  assert.deepEqual(draft({ award: 'Best Croissant 2023' }).accolades, []);
  const source_url = 'https://www.guide.example/2023';
  assert.deepEqual(draft({ award: 'Best Croissant 2023', 'award:source': source_url }).accolades, [
    { title: 'Best Croissant 2023', year: 2023, source_name: 'guide.example', source_url },
  ]);
  assert.equal(draft({ 'ref:whc': '600' }).accolades[0]?.source_url, 'https://whc.unesco.org/en/list/600');
});

test('Cuisines are a list without repeats, and languages come from their tags.', () => {
  const written = draft({ cuisine: 'Coffee shop;cake, cake', 'language:en': 'yes', 'language:fr': 'no' });
  assert.deepEqual(written.cuisine, ['coffee_shop', 'cake']);
  assert.deepEqual(written.languages, ['en']);
});

test('A named thing that went out of use is a closed place with the date of that change.', () => {
  const judgement = judgeTags(
    new Map([
      ['disused:shop', 'books'],
      ['was:name', 'x'],
      ['name', 'Lettres'],
    ]),
  );
  assert.equal(judgement.kind, 'place');
  const counts = newReadCounts();
  const dates = { changedAt: CHANGED, asOf: null };
  const object = { source: 'osm' as const, source_ref: 'node/2', ...PARIS, ...dates, squareMetres: null };
  const closed = draftFromTags(judgement, object, counts);
  assert.equal(closed?.category, 'books');
  const note = 'Marked as disused in the map: disused:shop=books.';
  assert.deepEqual(closed.closed, { note, observed_at: CHANGED });
  assert.equal(counts.closed, 1);
});

test('A place that took over from a former one is open.', () => {
  assert.equal(draft({ 'was:shop': 'books' }).closed, null);
  assert.equal(draft({ disused: 'yes' }).closed?.note, 'Marked as disused in the map: disused=yes.');
});

test('A line on which something goes is no place, whatever else its tags call it.', () => {
  const tram = { amenity: 'pub', name: 'Spårakoff', type: 'route', route: 'tram_pub' };
  const judgement = judgeTags(new Map(Object.entries(tram)));
  assert.equal(judgement.kind, 'routes');
  const counts = newReadCounts();
  countJudgement(judgement, counts);
  assert.deepEqual([counts.of_interest, counts.routes, counts.places], [1, 1, 0]);
  assert.equal(judgeTags(new Map(Object.entries({ ...tram, type: 'multipolygon' }))).kind, 'place');
});

test('An empty shop is counted as vacant, and a former one without a name is nothing.', () => {
  assert.equal(
    judgeTags(
      new Map([
        ['shop', 'vacant'],
        ['name', 'Lettres'],
      ]),
    ).kind,
    'vacant',
  );
  assert.equal(judgeTags(new Map([['disused:shop', 'books']])).kind, 'nothing');
});
