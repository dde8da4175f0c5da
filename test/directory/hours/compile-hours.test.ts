import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HORIZON_DAYS, compileHours } from '../../../src/directory/hours/compile/compile-hours.ts';
import { dayNumber } from '../../../src/directory/hours/compile/compiled-hours.ts';
import { BERLIN, at, compile, told } from './berlin.ts';

const NIGHT = [1080, 1560];

test('A plain week is compiled to minutes and holds for ever.', () => {
  assert.deepEqual(compile('Mo-Fr 09:00-17:00; Sa 10:00-14:00'), {
    week: [...Array.from({ length: 5 }, () => [[540, 1020]]), [[600, 840]], []],
  });
});

test('A split day has two spans, and touching spans are one.', () => {
  assert.deepEqual(compile('Mo 11:00-14:00,17:30-22:00').week[0], [
    [660, 840],
    [1050, 1320],
  ]);
  assert.deepEqual(compile('Mo 11:00-14:00,14:00-22:00').week[0], [[660, 1320]]);
});

test('A night belongs to the day on which it began, however it is written.', () => {
  for (const text of ['Fr 18:00-02:00', 'Fr 18:00-26:00', 'Fr 18:00-24:00, Sa 00:00-02:00']) {
    assert.deepEqual(compile(text).week, [[], [], [], [], [NIGHT], [], []], text);
  }
});

test('The rule for the next day does not cut off a night.', () => {
  const { week } = compile('Mo-Th 18:00-02:00; Fr,Sa 18:00-04:00; Su off');
  assert.deepEqual(week, [[NIGHT], [NIGHT], [NIGHT], [NIGHT], [[1080, 1680]], [[1080, 1680]], []]);
});

test('A day that is off has no night.', () => {
  const { week } = compile('18:00-02:00; Mo off');
  assert.deepEqual(week, [[], [NIGHT], [NIGHT], [NIGHT], [NIGHT], [NIGHT], [NIGHT]]);
});

test('Small hours that a text states as such stay where they are.', () => {
  assert.deepEqual(compile('Mo 00:00-02:00').week[0], [[0, 120]]);
});

test('Day and night is a day from midnight to midnight.', () => {
  assert.deepEqual(
    compile('24/7').week,
    Array.from({ length: 7 }, () => [[0, 1440]]),
  );
  assert.deepEqual(
    compile('Mo-Su 10:00-10:00').week,
    Array.from({ length: 7 }, () => [[0, 1440]]),
  );
});

test('Hours by arrangement and open ends are neither open nor closed.', () => {
  assert.deepEqual(compile('"by appointment"').week[0], [[0, 1440, 'unknown']]);
  assert.deepEqual(compile('Mo 10:00-12:00 "by appointment"').week[0], [[600, 720, 'unknown']]);
  assert.deepEqual(compile('Mo 10:00-18:00+').week[0], [
    [600, 1080],
    [1080, 1680, 'unknown'],
  ]);
});

test('Two rules for the same days are two parts of those days.', () => {
  const parts = [
    [660, 840],
    [1020, 1260],
  ];
  assert.deepEqual(compile('11:00-14:00; 17:00-21:00').week[3], parts);
  assert.deepEqual(compile('Mo-Fr 11:00-14:00; Sa 10:00-12:00; Mo-Fr 17:00-21:00').week[3], parts);
  assert.deepEqual(compile('Mo-Fr 11:00-14:00; Mo-Fr 12:00-16:00').week[3], [[720, 960]], 'a correction');
});

test('Public holidays become exceptions on the dates of the country.', () => {
  const compiled = compile('Mo-Sa 09:00-17:00; PH off');
  assert.deepEqual(Object.keys(compiled.exceptions ?? {}).slice(0, 3), [
    '2026-12-25',
    '2026-12-26',
    '2027-01-01',
  ]);
  assert.deepEqual(compiled.exceptions?.['2026-12-25'], []);
  assert.equal(told('Mo-Sa 09:00-17:00; PH off', '2026-12-25T12:00'), 'closed until 2026-12-28 09:00');
});

test('A holiday that is open, the day before and the day after it are distinguished.', () => {
  const compiled = compile('Mo-Su 10:00-18:00; PH -1 day 10:00-14:00; PH 12:00-16:00; PH +1 day 13:00-15:00');
  const { '2027-04-30': before, '2027-05-01': holiday, '2027-05-02': after } = compiled.exceptions ?? {};
  assert.deepEqual([before, holiday, after], [[[600, 840]], [[720, 960]], [[780, 900]]]);
});

test('A night before a holiday runs on into it.', () => {
  assert.equal(told('Mo-Su 18:00-02:00; PH off', '2026-12-25T01:00'), 'open until 2026-12-25 02:00');
  assert.equal(told('Mo-Su 18:00-02:00; PH off', '2026-12-26T01:00'), 'closed until 2026-12-27 18:00');
});

test('Holidays of a country without dates leave the ordinary week and say so.', () => {
  const thailand = { ...BERLIN, country: 'TH', timezone: 'Asia/Bangkok' };
  assert.deepEqual(compile('Mo-Sa 09:00-17:00; PH off', thailand), {
    week: [...Array.from({ length: 6 }, () => [[540, 1020]]), []],
    holidays_unknown: true,
  });
  const seasonal = compile('Oct-Mar 09:00-17:00; Apr-Sep 09:00-19:00; PH off', thailand);
  assert.equal(seasonal.holidays_unknown, true);
  assert.equal(at(seasonal, '2027-01-01T12:00', 'Asia/Bangkok').open, true);
});

test('School holidays are not known anywhere.', () => {
  const compiled = compile('Mo-Fr 08:00-16:00; SH 10:00-14:00');
  assert.equal(compiled.holidays_unknown, true);
  assert.deepEqual(compiled.week[0], [[480, 960]]);
});

test('A part of a country has the holidays of its own.', () => {
  const text = 'Mo-Su 09:00-17:00; PH off';
  const britain = { ...BERLIN, country: 'GB', timezone: 'Europe/London' };
  assert.equal(compile(text, britain).holidays_unknown, true);
  const england = compile(text, { ...britain, regions: ['GB-ENG'] });
  assert.deepEqual(england.exceptions?.['2026-12-26'], []);
});

test('A season is a week of its own between two dates.', () => {
  const compiled = compile('Oct-Mar Tu-Su 11:00-18:00; Apr-Sep Mo-Su 10:00-22:00');
  assert.deepEqual(compiled.week[0], []);
  assert.deepEqual(compiled.week[1], [[660, 1080]]);
  assert.deepEqual(compiled.seasons?.[0]?.week[0], [[600, 1320]]);
  assert.equal(at(compiled, '2027-03-31T20:00').open, false);
  assert.equal(at(compiled, '2027-04-01T20:00').open, true);
  assert.equal(at(compiled, '2027-09-30T20:00').open, true);
  assert.equal(at(compiled, '2027-10-01T20:00').open, false);
});

test('Dated rules, nth weekdays, weeks of the year and Easter fall on their days.', () => {
  assert.equal(
    told('10:00-18:00; Dec 24 10:00-14:00; Dec 25-26 off', '2026-12-24T15:00'),
    'closed until 2026-12-27 10:00',
  );
  assert.equal(told('Sa[1] 10:00-14:00', '2026-12-05T11:00'), 'open until 2026-12-05 14:00');
  assert.equal(told('Sa[1] 10:00-14:00', '2026-12-12T11:00'), 'closed until 2027-01-02 10:00');
  assert.equal(told('week 02 Mo 10:00-12:00', '2027-01-11T11:00'), 'open until 2027-01-11 12:00');
  assert.equal(told('10:00-18:00; easter off', '2027-03-28T11:00'), 'closed until 2027-03-29 10:00');
  assert.equal(
    told('2026 Dec 01-2027 Jan 05 off; 10:00-18:00', '2027-06-05T11:00'),
    'open until 2027-06-05 18:00',
  );
});

test('The sun is followed day by day on the clock of the place.', () => {
  const sydney = { lat: -33.87, lng: 151.21, country: 'AU', timezone: 'Australia/Sydney', now: BERLIN.now };
  const compiled = compile('sunrise-sunset', sydney);
  const sunset = (day: string): string | undefined =>
    at(compiled, `${day}T12:00`, sydney.timezone).until?.toLocaleTimeString('sv', {
      timeZone: sydney.timezone,
    });
  assert.match(sunset('2027-01-01') ?? '', /^20:(?:08|09|10):00$/);
  assert.match(sunset('2027-07-01') ?? '', /^16:5[678]:00$/);
});

test('Where the sun does not set, hours that end at sunset are unknown.', () => {
  const tromso = { lat: 69.65, lng: 18.96, country: 'NO', timezone: 'Europe/Oslo', now: BERLIN.now };
  const compiled = compile('10:00-sunset', tromso);
  assert.equal(at(compiled, '2027-06-21T12:00', 'Europe/Oslo').open, null);
  assert.equal(at(compiled, '2027-03-21T12:00', 'Europe/Oslo').open, true);
});

test('Hours that vary are computed for a bounded time ahead, a regular week for ever.', () => {
  const { from, until } = compile('Apr-Oct 10:00-20:00');
  assert.equal(from, '2026-11-14');
  assert.equal(dayNumber(until ?? '') - dayNumber('2026-11-15'), HORIZON_DAYS);
  assert.equal(compile('10:00-20:00').until, undefined);
});

test('A value that costs much gets fewer days, and none only if it costs far too much.', () => {
  const text = (times: number): string => `${'PH,'.repeat(times)}Mo-Fr 10:00-12:00; Dec 24 off`;
  const { from = '', until = '' } = compile(text(8));
  const days = dayNumber(until) - dayNumber(from);
  assert.ok(days >= 35 && days < HORIZON_DAYS, String(days));
  assert.equal(compileHours(text(40), BERLIN), null);
});

test('Words that leave a choice make hours doubtful.', () => {
  const texts = [
    'open',
    'Tu-Su',
    'Apr-Oct',
    'Mo-Fr 9-5',
    'Mo-Sa 11:00-9:00',
    '11:00-2:00',
    'Mo-Sa 10:00-20:00; PH open',
  ];
  for (const text of texts) assert.equal(compile(text).doubtful, true, text);
  const runTogether = 'lundi 18:00-22:30 mardi Fermé mercredi 18:00-22:30';
  assert.equal(compile(runTogether).doubtful, true, runTogether);
});

test('Words that only look odd are not doubtful.', () => {
  const texts = [
    '18:00-2:00',
    'Mo-Fr 9:00-17:00',
    'Mo-Su 00:00-24:00',
    'Jan 1-6 off; 10:00-18:00',
    'Mo-Fri 8-20',
    '6:30-9:30',
  ];
  for (const text of texts) assert.equal(compile(text).doubtful, undefined, text);
});

test('Any text that cannot be parsed is null.', () => {
  const texts = [
    '',
    ' ; ; ',
    'call us',
    'Mo-Fr 10:00',
    '25:00-26:00',
    '"',
    '\u0000',
    '12:00-13:00'.repeat(50),
    'mon '.repeat(70),
  ];
  for (const text of texts) assert.equal(compileHours(text, BERLIN), null, text.slice(0, 20));
});

test('Blanks and semicolons in front, which the library would choke on, do no harm.', () => {
  assert.deepEqual(compile(`${' ; '.repeat(90)}Mo 10:00-12:00`).week[0], [[600, 720]]);
  assert.equal(compileHours(`${' ; '.repeat(90)}x`, BERLIN), null);
});
