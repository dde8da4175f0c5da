import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWeekHours, structuredWeek } from '../../../src/directory/hours/weekly-hours.ts';
import { compile } from './berlin.ts';

test('The ordinary week is given out as pairs of times for each day.', () => {
  assert.deepEqual(structuredWeek(compile('Mo-Th 09:00-12:00,13:30-17:00; Fr 18:00-02:00; Sa 00:00-24:00')), {
    mon: [
      ['09:00', '12:00'],
      ['13:30', '17:00'],
    ],
    tue: [
      ['09:00', '12:00'],
      ['13:30', '17:00'],
    ],
    wed: [
      ['09:00', '12:00'],
      ['13:30', '17:00'],
    ],
    thu: [
      ['09:00', '12:00'],
      ['13:30', '17:00'],
    ],
    fri: [['18:00', '02:00']],
    sat: [['00:00', '24:00']],
    sun: [],
  });
});

test('Uncertain hours are left out of the week, and a week of nothing else is no week.', () => {
  assert.deepEqual(structuredWeek(compile('Mo 09:00-12:00+'))?.mon, [['09:00', '12:00']]);
  assert.equal(structuredWeek(compile('"by appointment"')), null);
  assert.equal(structuredWeek(compile('Mo-Fr 9-5')), null);
});

test('A place that is always closed has seven empty days.', () => {
  assert.deepEqual(structuredWeek(compile('off'))?.mon, []);
});

test('Every hour of the week with an open minute is listed, counted from Monday midnight.', () => {
  assert.deepEqual(openWeekHours(compile('Mo 09:30-11:00; Tu 12:59-13:01')), [9, 10, 36, 37]);
  assert.equal(openWeekHours(compile('24/7')).length, 168);
  assert.deepEqual(openWeekHours(compile('off')), []);
});

test('The night of Sunday is listed at the start of the week.', () => {
  assert.deepEqual(openWeekHours(compile('Su 23:00-01:30')), [0, 1, 167]);
});

test('Hours of seasons and holidays are listed too, uncertain and doubtful ones are not.', () => {
  assert.deepEqual(openWeekHours(compile('Jun-Aug Mo 10:00-12:00')), [10, 11]);
  assert.deepEqual(openWeekHours(compile('Mo 10:00-11:00; 2026 Dec 09 15:00-16:00')), [10, 63]);
  assert.deepEqual(openWeekHours(compile('Mo 10:00-11:00 "by appointment"')), []);
  assert.deepEqual(openWeekHours(compile('Mo-Fr 9-5')), []);
});
