import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DISHES, LANGUAGES, verticalOf } from '../../src/search/understand/lexicon/lexicon.ts';
import { HABITS, readTime } from '../../src/search/understand/question/time/read-time.ts';
import { readClock } from '../../src/search/understand/question/time/read-clock.ts';
import { maskContacts } from '../../src/search/understand/question/mask-contacts.ts';
import { tokensOf } from '../../src/search/understand/tokens.ts';

const FOLDER = new URL('../../src/search/understand/lexicon/languages/', import.meta.url).pathname;
type File = Record<string, Record<string, string>>;
const read = (language: string) => JSON.parse(readFileSync(`${FOLDER}${language}.json`, 'utf8')) as File;

test('every language has its file, and every kind of place and dish in it is one that can be looked for', () => {
  assert.equal(globSync('??.json', { cwd: FOLDER }).length, LANGUAGES.length);
  for (const language of LANGUAGES) {
    const file = read(language);
    for (const kind of Object.keys(file['category'] ?? {}))
      assert.ok(verticalOf(kind), `${language}: ${kind}`);
    for (const dish of Object.keys(file['dish'] ?? {})) assert.ok(DISHES[dish], `${language}: ${dish}`);
    for (const section of ['category', 'cuisine', 'diet', 'price', 'time', 'ask', 'out', 'intent', 'grammar'])
      assert.ok(Object.keys(file[section] ?? {}).length > 0, `${language}: ${section}`);
  }
});

test('every other language only uses values that English has', () => {
  const english = read('en');
  for (const language of LANGUAGES)
    for (const [section, entries] of Object.entries(read(language)))
      for (const [value, phrases] of Object.entries(entries)) {
        if (section !== 'grammar' && section !== 'number' && section !== 'party')
          assert.ok(
            english[section === 'joined' ? 'time' : section]?.[value],
            `${language}: ${section}.${value}`,
          );
        for (const phrase of phrases.split('|'))
          assert.ok(tokensOf(phrase).text !== '', `${language}: ${value}`);
      }
});

test('clock times are read as they are written in many places', () => {
  const minute = (text: string) => readClock(text, '2026-11-14', 'en').minute;
  const cases: Record<string, number> = {
    'at 19:30': 1170,
    'at 7:30 pm': 1170,
    '7pm': 1140,
    '12 am': 0,
    '12pm': 720,
    'à 20h30': 1230,
    'às 20h': 1200,
    'um 19 Uhr': 1140,
    'um 19.30 Uhr': 1170,
    午後7時: 1140,
    '19時30分': 1170,
    'a las 9': 540,
    'alle 20': 1200,
    'jam 7': 420,
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(minute(text), expected, text);
  for (const text of ['for 4', 'party of 12', '4.5 stars', 'table for 2', '24時間', '300 m', 'at 8 people'])
    assert.equal(minute(text), undefined, text);
  const dates = {
    'on 2026-12-24': '2026-12-24',
    '24 December': '2026-12-24',
    'January 3rd': '2027-01-03',
    'the 15th of November': '2026-11-15',
  };
  for (const [text, date] of Object.entries(dates))
    assert.equal(readClock(text, '2026-11-14', 'en').date, date, text);
});

test('in the small hours, dinner is that of the coming evening, and tonight has not ended', () => {
  const today = 20_771 * 1440;
  const timeAt = (words: string, hour: number) => {
    const clock = readClock(words, '2026-11-14', 'en');
    return readTime(new Set(words.split(' ')), clock, today + hour * 60, HABITS.evening).time;
  };
  assert.deepEqual(timeAt('dinner', 2), { minute: today + 19.5 * 60, now: false });
  assert.deepEqual(timeAt('dinner', 13), { minute: today + 19.5 * 60, now: false });
  assert.deepEqual(timeAt('evening', 3), { minute: today + 20 * 60, now: false });
  assert.deepEqual(timeAt('tonight', 2), { minute: today + 2 * 60, now: true });
  assert.deepEqual(timeAt('dinner tonight', 2), { minute: today + 2 * 60, now: true });
  assert.deepEqual(timeAt('late dinner', 2), { minute: today + 2 * 60, now: true });
  assert.deepEqual(timeAt('dinner', 21), { minute: today + 21 * 60, now: true });
});

test('addresses and numbers of people are masked; dates, times and prices are not', () => {
  for (const text of [
    'jane@example.com',
    'jane.roe+x@mail.example.co.uk',
    'jane (at) example.com',
    '+44 20 7946 0958',
    '(555) 123-4567',
    '0812-3456-7890',
    '5551234567',
  ])
    assert.doesNotMatch(maskContacts(`mail ${text} please`).text, /jane|example|\d{3}/, text);
  for (const text of ['2026-11-14', '2026-11-14 19:30', 'at 19:30', '$50', 'for 12 people', '24/7', '10-12'])
    assert.equal(maskContacts(`x ${text} y`).masked, false, text);
});
