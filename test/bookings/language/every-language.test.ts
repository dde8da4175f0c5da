import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { subjectForVenue, wordsForVenue } from '../../../src/bookings/asking/venue-words.ts';
import type { HeldTable, TableRequest } from '../../../src/bookings/booking.ts';
import type { VenueAsk } from '../../../src/bookings/channel.ts';
import { ENGLISH, VENUE_WORDS, type VenueLanguage } from '../../../src/bookings/language/venue-language.ts';
import { dayWords, timeWords } from '../../../src/bookings/table-words.ts';

const TABLE: TableRequest = { date: '2026-11-20', time: '19:30', partySize: 14 };
const HELD: HeldTable = {
  date: '2026-12-23',
  time: '12:45',
  partySize: 17,
  ref: null,
  by: 'venue',
  at: new Date(0),
};
const BOOKING = { guestName: 'Zoë Quxford', notes: 'Xylo zq', held: HELD, released: [] };
const PURPOSES = ['new', 'change', 'accept', 'reminder', 'cancelled', 'accepted', 'kept'] as const;

/** Short words of English that none of the other languages has. */
const ENGLISH_WORDS = /\b(the|you|your|with|please|answer|and|that|there|nothing|this)\b/i;

/** What is the same in English. */
const SAME: Readonly<Record<string, readonly string[]>> = { de: ['name', 'forName'] };

for (const [code, words] of Object.entries(VENUE_WORDS)) {
  const language: VenueLanguage = { code, locale: words.locale, words };
  describe(new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code, () => {
    test('its dates and voice are its own', () => {
      assert.equal(new Intl.Locale(words.locale).language, code);
      assert.deepEqual(Intl.DateTimeFormat.supportedLocalesOf(words.locale), [words.locale]);
      if (words.voice !== null) assert.equal(new Intl.Locale(words.voice).language, code);
    });

    for (const purpose of PURPOSES)
      test(`${purpose}: a message says who, when, how many and for whom`, () => {
        const text = wordsForVenue('Waypost', purpose, BOOKING, TABLE, language);
        const facts = ['Waypost: ', ...factsOf(TABLE, language), 'Zoë Quxford'];
        if (purpose !== 'cancelled') facts.push('Xylo zq');
        if (purpose === 'change') facts.push(...factsOf(HELD, language));
        for (const fact of facts) assert.ok(text.includes(fact), `${fact} in ${text}`);
        // A text message has room for little.
        const plain = wordsForVenue('Waypost', purpose, { ...BOOKING, notes: null }, TABLE, language);
        const english = wordsForVenue('Waypost', purpose, { ...BOOKING, notes: null }, TABLE, ENGLISH);
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
      const own = spokenIn(language);
      const english = spokenIn(ENGLISH);
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

/** Every word of a language, by its name; sentences with the same parts in every language. */
function spokenIn(language: VenueLanguage): Map<string, string> {
  const table = { day: dayWords(TABLE.date, language), time: timeWords(TABLE.time, language), people: 14 };
  const parts: Record<string, readonly unknown[]> = {
    severalSubject: [3, table.day],
    severalTitle: [3, table.day],
    forName: ['Zoë'],
    withNote: ['zq'],
    answerHere: ['/v/x'],
    answerEach: ['/v/x'],
    answerBy: [table.day.split(/[ ,]/)[0], table.time],
    nothingCharged: ['Waypost'],
    undoFor: [2],
    hello: [null],
  };
  const spoken = new Map<string, string>();
  const collect = (name: string, value: unknown, given: readonly unknown[] = [table]): void => {
    if (typeof value === 'string') spoken.set(name, value);
    else if (typeof value === 'function')
      spoken.set(name, (value as (...given: readonly unknown[]) => string)(...given));
    else for (const [key, one] of Object.entries(value ?? {})) collect(`${name}.${key}`, one);
  };
  const { locale: _locale, voice: _voice, ...words } = language.words;
  for (const [name, value] of Object.entries(words)) collect(name, value, parts[name]);
  return spoken;
}
