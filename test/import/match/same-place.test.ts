import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { MatchRecord } from '../../../src/import/match/match-record.ts';
import { samePlace } from '../../../src/import/match/same-place.ts';

/** A record at some metres north of a fixed point. */
function place(
  names: string | readonly string[],
  metres: number,
  more: Partial<MatchRecord> = {},
): MatchRecord {
  return { names: typeof names === 'string' ? [names] : names, lat: 10 + metres / 111_195, lng: 20, ...more };
}

suite('names and distance alone', () => {
  const same: [string, string | string[], string | string[], number][] = [
    ['the same name', 'Warung Mak Beng', 'Warung Mak Beng', 60],
    ['case and accents', 'Café Zürich', 'CAFE ZURICH', 20],
    ['a word of kind more', 'Lido', 'Lido Restaurant', 15],
    ['an article and a legal form', 'The Silver Spoon', 'Silver Spoon Ltd.', 15],
    ['a typo', 'Trattoria da Giovanni', 'Trattoria da Giovani', 15],
    ['words cut elsewhere', 'Spazio Luce', 'SpazioLuce', 15],
    ['Cyrillic and its Latin form', 'Ресторан Пушкин', 'Pushkin Restaurant', 15],
    ['Greek and its Latin form', 'Ταβέρνα Μυκονος', 'Taverna Mykonos', 15],
    ['Korean and its Latin form', '강남 식당', ['Gangnam Sigdang'], 15],
    ['Japanese in its own script', '鳥勢 本店', '鳥勢本店', 15],
    ['Thai in its own script', 'ร้านอาหารจานทอง', 'ร้านอาหาร จานทอง', 15],
    ['Arabic in its own script', 'مطعم الشام', 'مطعم الشام', 15],
    ['Hebrew in its own script', 'מסעדת הים', 'מסעדת הים', 15],
    ['Chinese, with an English name on one side', ['鼎泰豐', 'Din Tai Fung'], 'Din Tai Fung', 15],
    ['two scripts in one name', 'ドトール (Doutor Ginza Corner)', 'Doutor Ginza Corner', 15],
    ['Georgian in its own script', 'მაჭახელა', 'მაჭახელა', 15],
  ];
  for (const [what, a, b, metres] of same) {
    test(`${what} nearby is the same place`, () => {
      const found = samePlace(place(a, 0), place(b, metres));
      assert.ok(found.same, String(found.score));
      assert.equal(samePlace(place(b, metres), place(a, 0)).same, true, 'in the other order');
    });
  }

  const different: [string, string, string, number][] = [
    ['another name at the same spot', 'Café Romo', 'Café Villarreal', 0],
    ['the same kind with another name', 'Hotel Gem', 'Hotel Sitara', 5],
    ['a branch a kilometre away', 'Starbucks', 'Starbucks', 1000],
    [
      'a long name five kilometres away',
      'Bar Osteria al Vecchio Mulino',
      'Bar Osteria al Vecchio Mulino',
      5000,
    ],
    ['the cash machine of the bank', 'Banco Montepio', 'Banco Montepio ATM', 5],
    ['the pool of the hotel', 'Lighthouse Bay', 'Lighthouse Bay Pool', 5],
    ['the stop in front of it', '樽野谷', '樽野谷バス停', 20],
    ['another number in the name', 'Hải Sản 105', 'Hải Sản 555', 20],
    ['a name that only says the kind', 'Restaurant', 'Restaurant', 80],
  ];
  for (const [what, a, b, metres] of different) {
    test(`${what} is another place`, () => {
      const found = samePlace(place(a, 0), place(b, metres));
      assert.ok(!found.same, String(found.score));
      assert.equal(samePlace(place(b, metres), place(a, 0)).same, false, 'in the other order');
    });
  }
});

suite('places at the end of a name', () => {
  const inMalta = {
    country: 'MT',
    city: 'Tas-Sliema',
    destination: ['Malta', 'Malte'],
    towns: ['Sliema', 'San Ġiljan', 'Saint Julian’s', 'Il-Belt Valletta', 'Valletta'],
  };
  const pairs: [what: string, a: string, b: string, same: boolean][] = [
    ['the country', 'Caviar & Bull', 'Caviar & Bull Malta', true],
    ['the country in another language', 'Caviar & Bull', 'Caviar & Bull Malte', true],
    ['the town after a dash', 'Mamma Mia', 'Mamma Mia - Sliema', true],
    ['town and country', 'Zeri’s', 'Zeris St. Julian’s, Malta', true],
    ['the country here and a town there', 'Hilton Malta', 'Hilton St Julian’s', true],
    ['a kind before and the country behind it', 'La Cuccagna', 'Ristorante La Cuccagna Malta', true],
    ['two towns', 'Wagamama Sliema', 'Wagamama Valletta', false],
    ['nothing but a kind', 'Hotel', 'Hotel Malta', false],
    ['another name', 'Café Cordina Malta', 'Café Jubilee Malta', false],
  ];
  for (const [what, a, b, same] of pairs) {
    test(`${what}: "${a}" and "${b}" are ${same ? 'one place' : 'two places'}`, () => {
      const found = samePlace(place(a, 0, inMalta), place(b, 50, inMalta));
      assert.equal(found.same, same, String(found.score));
      assert.equal(samePlace(place(b, 50, inMalta), place(a, 0, inMalta)).same, same, 'in the other order');
    });
  }
});

test('a bistro in a museum is not the museum', () => {
  const museum = place('Ateneum', 0, { categories: ['museum'], street: 'Kaivokatu 2' });
  const bistro = place('Ateneum Bistro', 20, { categories: ['restaurant'], street: 'Kaivokatu 2' });
  const found = samePlace(museum, bistro);
  assert.ok(!found.same, String(found.score));
});

test('the same phone, written with and without the code of the country, speaks for a longer name', () => {
  const short = place('Blue Lagoon', 60);
  const long = place('Blue Lagoon Seaview Terrace', 0);
  assert.ok(!samePlace(short, long).same);
  const found = samePlace({ ...short, phones: ['+1 919 553-5739'] }, { ...long, phones: ['9195535739'] });
  assert.ok(found.same, String(found.score));
});

test('the same name in another house with another phone is another branch', () => {
  const a = place('Panaria', 0, { street: 'Calle de Rafael Salgado, 19', phones: ['+34910825250'] });
  const b = place('Panaria', 90, { street: 'Calle de Rafael Salgado, 64', phones: ['607566842'] });
  const found = samePlace(a, b);
  assert.ok(!found.same);
});

test('a page on a site that many venues share says nothing', () => {
  const a = place('Corner House Grill', 0, { websites: ['https://www.facebook.com/1'] });
  const b = place('Corner House Grill', 10, { websites: ['https://www.facebook.com/2'] });
  assert.equal(
    samePlace(a, b).score,
    samePlace(place('Corner House Grill', 0), place('Corner House Grill', 10)).score,
  );
});

test('places on the two sides of the date line are neighbours', () => {
  const found = samePlace(
    { names: ['Taveuni Palms'], lat: -16.8, lng: 179.9999 },
    { names: ['Taveuni Palms'], lat: -16.8, lng: -179.9999 },
  );
  assert.ok(found.same);
});

test('a record without a name matches nothing', () => {
  const found = samePlace(
    { names: [], phones: ['+1 919 553-5739'] },
    { names: [' ·'], phones: ['+1 919 553-5739'] },
  );
  assert.deepEqual(found, { same: false, score: 0 });
});

test('hostile text neither throws nor hangs', () => {
  const texts = [
    '('.repeat(100_000),
    'a '.repeat(100_000),
    '\ud800',
    '\u0000',
    '１'.repeat(50_000),
    '‮abc',
    '🍕',
  ];
  for (const text of texts) {
    const record = {
      names: [text],
      street: text,
      postcode: text,
      city: text,
      phones: [text],
      websites: [text],
    };
    const found = samePlace(record, { ...record, categories: [text] });
    assert.ok(found.score >= 0 && found.score <= 1);
  }
});
