import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SubmittedHours, compileSubmittedHours } from '../../../src/directory/hours/submitted-hours.ts';
import { type StructuredWeek, structuredWeek } from '../../../src/directory/hours/weekly-hours.ts';
import { BERLIN } from './berlin.ts';

function submit(value: string | Record<string, unknown>): SubmittedHours {
  return compileSubmittedHours(value, BERLIN);
}

function week(value: string | Record<string, unknown>): StructuredWeek | null {
  const { compiled, errors } = submit(value);
  assert.deepEqual(errors, []);
  return compiled === null ? null : structuredWeek(compiled);
}

const OFFICE = [['09:00', '17:00']];

test('Days are named in full or in short, in any case.', () => {
  for (const key of ['mon', 'Monday', 'MO', 'mond.'])
    assert.deepEqual(week({ [key]: '09:00-17:00' })?.mon, OFFICE);
  for (const key of ['thu', 'Thurs', 'th']) assert.deepEqual(week({ [key]: '09:00-17:00' })?.thu, OFFICE);
});

test('Ranges may wrap around the week, lists may name any days.', () => {
  const wrapped = week({ 'sat-thu': '09:00-17:00' });
  assert.deepEqual([wrapped?.sat, wrapped?.sun, wrapped?.thu, wrapped?.fri], [OFFICE, OFFICE, OFFICE, []]);
  const listed = week({ 'mon, wed, sat-sun': '09:00-17:00' });
  assert.deepEqual([listed?.mon, listed?.tue, listed?.wed, listed?.sun], [OFFICE, [], OFFICE, OFFICE]);
});

test('Groups of days have names.', () => {
  assert.deepEqual(week({ daily: '09:00-17:00' })?.sun, OFFICE);
  const parts = week({ weekdays: '09:00-17:00', weekends: 'closed' });
  assert.deepEqual([parts?.fri, parts?.sat], [OFFICE, []]);
});

test('Public holidays have hours of their own.', () => {
  const { compiled, text } = submit({ daily: '09:00-17:00', holidays: '10:00-12:00' });
  assert.equal(text, 'Mo-Su 09:00-17:00; PH 10:00-12:00');
  assert.deepEqual(compiled?.exceptions?.['2026-12-25'], [[600, 720]]);
});

test('A day is closed, open day and night, in several parts, or goes past midnight.', () => {
  const days = week({
    mon: 'closed',
    tue: '24h',
    wed: '00:00-24:00',
    thu: '09:00-12:00, 13:00-17:00',
    fri: '18:00-02:00',
    sat: '10:00-10:00',
  });
  assert.deepEqual(days?.mon, []);
  assert.deepEqual(days.tue, [['00:00', '24:00']]);
  assert.deepEqual(days.wed, [['00:00', '24:00']]);
  assert.deepEqual(days.thu, [
    ['09:00', '12:00'],
    ['13:00', '17:00'],
  ]);
  assert.deepEqual(days.fri, [['18:00', '02:00']]);
  assert.deepEqual(days.sat, [['10:00', '10:00']]);
});

test('A more exact key wins over a range, wherever it stands; of two alike the later wins.', () => {
  const expected = [['10:00', '14:00']];
  assert.deepEqual(week({ daily: '09:00-17:00', sat: '10:00-14:00' })?.sat, expected);
  assert.deepEqual(week({ sat: '10:00-14:00', daily: '09:00-17:00' })?.sat, expected);
  assert.deepEqual(week({ sat: '09:00-17:00', saturday: '10:00-14:00' })?.sat, expected);
  assert.deepEqual(week({ daily: '09:00-17:00', 'mon-fri': '08:00-20:00', mon: 'closed' })?.mon, []);
});

test('A day that nobody names is closed.', () => {
  assert.deepEqual(week({ mon: '09:00-17:00' })?.tue, []);
});

test('Hours in the form that we output are accepted as input.', () => {
  const given = week({ 'mon-fri': '09:00-12:00,13:00-17:00', sat: '18:00-02:00' });
  assert.ok(given !== null);
  assert.deepEqual(week(given), given);
});

test('Unknown keys and values are all named, with pointers.', () => {
  const { compiled, errors } = submit({
    funday: '09:00-17:00',
    constructor: 'closed',
    mon: 'whenever',
    tue: 9,
    'wed/thu': '09:00-17:00',
    fri: '25:00-26:00',
    sat: null,
    sun: '9-5',
  });
  assert.equal(compiled, null);
  const pointers = ['funday', 'constructor', 'mon', 'tue', 'wed~1thu', 'fri', 'sat', 'sun'].map(
    (key) => `/hours/${key}`,
  );
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    pointers,
  );
});

test('An object without days is refused.', () => {
  assert.deepEqual(
    submit({}).errors.map(({ pointer }) => pointer),
    ['/hours'],
  );
});

test('A text is read in the syntax of OpenStreetMap first.', () => {
  const { text, compiled } = submit('Mo-Fr 09:00-17:00; PH off');
  assert.equal(text, 'Mo-Fr 09:00-17:00; PH off');
  assert.deepEqual(compiled?.exceptions?.['2026-12-25'], []);
});

test('A text in plain English is understood.', () => {
  const days = week('Mon-Fri 9am-5pm; Sat 10:00-14:00; Sun closed');
  assert.deepEqual([days?.mon, days?.sat, days?.sun], [OFFICE, [['10:00', '14:00']], []]);
  const late = week('Mon to Thu: noon to midnight; Fri & Sat 11 am - 2 am; Sun closed');
  assert.deepEqual([late?.mon, late?.sat], [[['12:00', '24:00']], [['11:00', '02:00']]]);
  assert.deepEqual(week('Daily noon-10:30pm')?.wed, [['12:00', '22:30']]);
});

test('A text that nobody understands is kept, without hours and without an error.', () => {
  for (const text of ['ask inside', 'noonish to late', 'x'.repeat(5000)]) {
    assert.deepEqual(submit(text), { text, compiled: null, errors: [] });
  }
});

test('A text that may mean two things is not taken for one of them.', () => {
  assert.equal(week('Mo-Fr 9-5'), null);
});
