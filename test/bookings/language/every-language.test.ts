import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { subjectForVenue, wordsForVenue } from '../../../src/bookings/asking/venue-words.ts';
import type { HeldTable, TableRequest } from '../../../src/bookings/booking.ts';
import type { VenueAsk } from '../../../src/bookings/channels/channel.ts';
import { readCatalogue } from '../../../src/bookings/language/catalogue.ts';
import {
  ENGLISH,
  VENUE_LANGUAGES,
  type VenueLanguage,
} from '../../../src/bookings/language/venue-language.ts';
import { dayValues, tableWords, timeWords } from '../../../src/bookings/table-words.ts';

const TABLE: TableRequest = { date: '2026-11-20', time: '19:30', partySize: 14 };
const HELD: HeldTable = {
  date: '2026-12-23',
  time: '12:45',
  partySize: 17,
  ref: null,
  by: 'venue',
  at: new Date(0),
};
const BOOKING = {
  guestName: 'Zoë Quxford',
  askedBy: 'Hotel Zquax',
  notes: 'Xylo zq',
  held: HELD,
  released: [],
  // A Thursday, 18:40 in Lisbon.
  answerBy: new Date('2026-11-19T18:40:00Z'),
  timezone: 'Europe/Lisbon',
};
const LETTERHEAD = { service: 'Waypost', place: 'Zquosteria' };
const PURPOSES = ['new', 'change', 'accept', 'reminder', 'cancelled', 'accepted', 'kept'] as const;

/** Short words of English that none of the other languages has. */
const ENGLISH_WORDS = /\b(the|you|your|with|please|answer|and|that|there|nothing|this)\b/i;

/** Phrases that are the same as in English. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  ca: ['allergen.gluten'],
  de: ['message.name', 'page.name'],
  es: ['allergen.gluten'],
  fr: ['allergen.gluten', 'allergen.lupin'],
  hr: ['allergen.gluten'],
  id: ['allergen.gluten', 'allergen.lupin'],
  nl: ['allergen.gluten'],
  tr: ['allergen.gluten'],
  vi: ['allergen.gluten'],
};

for (const [code, language] of VENUE_LANGUAGES) {
  describe(new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code, () => {
    test('its dates and voice are its own', () => {
      assert.equal(new Intl.Locale(language.locale).language, new Intl.Locale(code).language);
      assert.deepEqual(Intl.DateTimeFormat.supportedLocalesOf(language.locale), [language.locale]);
      if (language.voice !== null)
        assert.equal(new Intl.Locale(language.voice).language, new Intl.Locale(code).language);
    });

    for (const purpose of PURPOSES)
      test(`${purpose}: a message says who asks whom, when, how many, for whom and until when`, () => {
        const text = wordsForVenue(LETTERHEAD, purpose, BOOKING, TABLE, language);
        const facts = ['Waypost', 'Zquosteria', ...factsOf(TABLE, language), 'Zoë Quxford', 'Hotel Zquax'];
        if (['new', 'change', 'reminder'].includes(purpose))
          facts.push(timeWords('18:40', language), weekdayOf('2026-11-19', language));
        if (purpose !== 'cancelled') facts.push('Xylo zq');
        if (purpose === 'change') facts.push(...factsOf(HELD, language));
        for (const fact of facts) assert.ok(text.includes(fact), `${fact} in ${text}`);
        // A text message has room for little.
        const plain = wordsForVenue(LETTERHEAD, purpose, { ...BOOKING, notes: null }, TABLE, language);
        const english = wordsForVenue(LETTERHEAD, purpose, { ...BOOKING, notes: null }, TABLE, ENGLISH);
        assert.ok(plain.length < english.length * 1.5, plain);
        assert.doesNotMatch(plain, /\.\.| {2}/);
      });

    test('a mail says in its subject what it is about', () => {
      for (const purpose of PURPOSES) {
        const ask = { purpose, table: TABLE } as unknown as VenueAsk;
        const subject = subjectForVenue(ask, language);
        for (const fact of factsOf(TABLE, language)) assert.ok(subject.includes(fact), subject);
        const several = subjectForVenue({ ...ask, also: [ask, ask] }, language);
        assert.ok(several.includes('3') && several.includes(dayOf(TABLE, language)), several);
      }
    });

    test('nothing is empty, and nothing is left in English', () => {
      const own = textsIn(language);
      const english = textsIn(ENGLISH);
      assert.deepEqual([...own.keys()], [...english.keys()]);
      for (const [key, text] of own) {
        assert.ok(text.trim() !== '' && !/undefined|NaN|\[object|\$\{/.test(text), `${key}: ${text}`);
        if (code === ENGLISH.code || SAME[code]?.includes(key) === true) continue;
        assert.notEqual(text, english.get(key), key);
        assert.doesNotMatch(text, ENGLISH_WORDS, key);
      }
    });
  });
}

/** Day and month, time and number of people, as the language writes them. */
function factsOf(table: TableRequest, language: VenueLanguage): string[] {
  return [dayOf(table, language), timeWords(table.time, language), String(table.partySize)];
}

function dayOf({ date }: TableRequest, { locale }: VenueLanguage): string {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${date}T00:00:00Z`));
}

function weekdayOf(date: string, { locale }: VenueLanguage): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${date}T00:00:00Z`));
}

/** Renders every message of a language, with the same values in every language. */
function textsIn(language: VenueLanguage): Map<string, string> {
  const values = {
    ...dayValues(TABLE.date, language),
    time: timeWords(TABLE.time, language),
    hour: 19,
    until: timeWords('21:00', language),
    untilHour: 21,
    people: 14,
    tables: 3,
    minutes: 2,
    table: tableWords(TABLE, language),
    name: 'Zoë',
    note: 'zq',
    link: '/v/x',
    service: 'Waypost',
    place: 'Zq',
    partner: 'Zp',
    contact: 'zc',
    yes: 'zy',
    no: 'zn',
    stop: 'zs',
    start: 'zt',
    example: 'ze',
    money: 'zm',
    per: 'person',
    percent: 12,
    hours: 24,
    age: 6,
    dress: 'formal',
    list: 'zl',
    came: 9,
    absent: 2,
    late: 3,
  };
  // The type of a renderer asks for the arguments of one message; these are those of all.
  const render = language.text as (key: string, given: typeof values) => string;
  return new Map(Object.keys(readCatalogue(language.code)).map((key) => [key, render(key, values)]));
}
