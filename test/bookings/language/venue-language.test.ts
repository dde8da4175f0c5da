import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsForVenue } from '../../../src/bookings/asking/venue-words.ts';
import { spokenLanguage, venueLanguage } from '../../../src/bookings/language/venue-language.ts';
import { tableWords } from '../../../src/bookings/table-words.ts';

const TABLE = { date: '2026-11-20', time: '19:30', partySize: 4 };
const LETTERHEAD = { service: 'Waypost', place: null };
const NOBODY = {
  guestName: '',
  askedBy: null,
  notes: null,
  held: null,
  released: [],
  answerBy: null,
  timezone: 'UTC',
};
const at = (country: string, ...languages: string[]) => venueLanguage({ country, languages });

test('a venue is written to in a language of its own, that of its country first, else in English', () => {
  const cases: [string, string, string[]][] = [
    ['id', 'ID', []],
    ['id', 'ID', ['en', 'id']],
    ['it', 'IT', ['de', 'en', 'it']],
    ['en', 'ID', ['en']],
    ['en', 'US', ['en', 'es']],
    ['id', 'ID', ['sv', 'ru']],
    ['ar', 'AE', []],
    ['ar', 'ID', ['ar']],
    ['ar', 'DE', ['ar-SY']],
    ['he', 'IL', []],
    ['he', 'FR', ['iw']],
    ['ko', 'KR', ['en', 'ko']],
    ['zh', 'CN', []],
    ['zh', 'ID', ['zh']],
    ['zh', 'TW', ['zh-Hans']],
    ['zh-Hant', 'TW', []],
    ['zh-Hant', 'HK', ['en', 'zh']],
    ['zh-Hant', 'US', ['zh-TW']],
    ['fr', 'CA', ['fr', 'en']],
    ['en', 'CA', []],
    ['fr', 'CH', ['fr-CH']],
    ['it', 'CH', ['rm', 'it']],
    ['de', 'CH', []],
    ['nl', 'BE', ['fr', 'nl']],
    ['fr', 'BE', ['fr']],
    ['nl', 'BE', []],
    ['pt', 'BR', ['pt-BR']],
    ['ca', 'AD', []],
    ['fr', 'MC', []],
    ['de', 'LI', []],
    ['fi', 'FI', []],
    ['ja', 'JP', []],
    ['en', 'IS', []],
    ['en', 'ZZ', []],
    ['en', '', []],
    ['id', 'ID', ['not a tag', '', 'constructor']],
  ];
  for (const [code, country, languages] of cases)
    assert.equal(at(country, ...languages).code, code, `${country} ${languages.join()}`);
});

test("dates and times are those of the country where its own language is written, else the language's", () => {
  const written = (country: string, ...languages: string[]) =>
    tableWords(TABLE, at(country, ...languages)).replace(/^.*? (?=\p{L}*day)/u, '');
  assert.equal(written('ID', 'en'), 'Friday 20 November at 19:30');
  assert.equal(written('US'), 'Friday, November 20 at 7:30 PM');
  assert.equal(
    tableWords(TABLE, at('MX')),
    'una mesa para 4 personas el viernes, 20 de noviembre, a las 7:30 p.m.',
  );
  assert.equal(
    tableWords({ ...TABLE, time: '13:30' }, at('MX')),
    'una mesa para 4 personas el viernes, 20 de noviembre, a la 1:30 p.m.',
  );
  assert.equal(
    tableWords({ ...TABLE, time: '08:05' }, at('DE')),
    'Tisch für 4 Personen am Freitag, 20. November, um 08:05 Uhr',
  );
});

test('Arabic has the digits and the calendar of all other messages', () => {
  assert.equal(
    tableWords({ ...TABLE, partySize: 12 }, at('SA')),
    'طاولة لـ 12 شخصًا يوم الجمعة، 20 نوفمبر الساعة 7:30 م',
  );
  assert.equal(tableWords(TABLE, at('TW')), '11月20日星期五 下午7:30，4位的桌位');
  assert.deepEqual([at('AE').direction, at('IL').direction, at('JP').direction], ['rtl', 'rtl', 'ltr']);
});

test('numbers take the form that the language wants', () => {
  const table = (country: string, partySize: number) => tableWords({ ...TABLE, partySize }, at(country));
  assert.match(table('DE', 1), /für 1 Person am/);
  assert.match(table('FR', 2), /pour 2 personnes le/);
  assert.match(table('HR', 1), /za 1 osobu,/);
  assert.match(table('HR', 3), /za 3 osobe,/);
  assert.match(table('HR', 12), /za 12 osoba,/);
  assert.match(table('HR', 21), /za 21 osobu,/);
  assert.match(tableWords({ ...TABLE, date: '2026-11-21' }, at('PT')), /no sábado, 21 de novembro/);
});

test('a call is spoken in English where there is no voice for the language', () => {
  assert.equal(spokenLanguage({ country: 'TH', languages: [] }).voice, 'th-TH');
  assert.equal(spokenLanguage({ country: 'EG', languages: [] }).code, 'en');
  assert.deepEqual([at('HR').code, spokenLanguage({ country: 'HR', languages: [] }).code], ['hr', 'en']);
});

test('a name that ends in an initial is followed by one full stop', () => {
  const booking = { ...NOBODY, guestName: 'Mia T.' };
  assert.match(wordsForVenue(LETTERHEAD, 'new', booking, TABLE, at('DE')), /Name: Mia T\.$/);
  assert.match(wordsForVenue(LETTERHEAD, 'new', booking, TABLE, at('TH')), /: Mia T$/);
});

test("the guest's text is inserted unchanged", () => {
  const booking = { ...NOBODY, guestName: '$& O’Neill {day}', askedBy: '{name} & Co', notes: 'No nuts, $1' };
  for (const country of ['DE', 'FI', 'JP']) {
    const words = wordsForVenue(
      { service: 'Waypost', place: '$& {service}' },
      'new',
      booking,
      TABLE,
      at(country),
    );
    for (const text of ['$& O’Neill {day}', '{name} & Co', 'No nuts, $1', '$& {service}'])
      assert.ok(words.includes(text), words);
  }
});
