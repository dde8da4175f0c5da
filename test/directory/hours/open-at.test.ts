import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompiledHours, DayHours } from '../../../src/directory/hours/compile/compiled-hours.ts';
import { isOpenAt, openAt } from '../../../src/directory/hours/open-at.ts';
import { at, compile, local, told } from './berlin.ts';
import { tries } from '../../harness/tier.ts';
import { MINUTE_MS } from '../../../src/core/time.ts';

const WINDOW_MS = 1560 * MINUTE_MS;
const STEP_MS = tries({ quick: 37, long: 11 }) * MINUTE_MS;

test('A place is open from its first minute to before its last.', () => {
  const text = 'Mo 09:00-17:00';
  assert.equal(told(text, '2026-11-16T08:59'), 'closed until 2026-11-16 09:00');
  assert.equal(told(text, '2026-11-16T09:00'), 'open until 2026-11-16 17:00');
  assert.equal(told(text, '2026-11-16T16:59'), 'open until 2026-11-16 17:00');
  assert.equal(told(text, '2026-11-16T17:00'), 'closed until 2026-11-23 09:00');
});

test('A split day closes and opens again.', () => {
  const text = 'Mo-Su 11:00-14:00,17:00-22:00';
  assert.equal(told(text, '2026-11-16T12:00'), 'open until 2026-11-16 14:00');
  assert.equal(told(text, '2026-11-16T15:00'), 'closed until 2026-11-16 17:00');
});

test('A night goes on after midnight, and from Sunday into Monday.', () => {
  const text = 'Sa,Su 20:00-03:00';
  assert.equal(told(text, '2026-11-22T01:00'), 'open until 2026-11-22 03:00');
  assert.equal(told(text, '2026-11-23T02:59'), 'open until 2026-11-23 03:00');
  assert.equal(told(text, '2026-11-23T03:00'), 'closed until 2026-11-28 20:00');
});

test('A place that is open through several midnights is open until the last.', () => {
  assert.equal(
    told('Fr 18:00-24:00; Sa,Su 00:00-24:00; Mo 00:00-06:00', '2026-11-21T12:00'),
    'open until 2026-11-23 06:00',
  );
});

test('Hours that never change have no next change.', () => {
  assert.equal(told('24/7', '2026-11-16T12:00'), 'open until ever');
  assert.equal(told('off', '2026-11-16T12:00'), 'closed until ever');
  assert.equal(told('"by appointment"', '2026-11-16T12:00'), 'unknown until ever');
});

test('Uncertain hours change into certain ones and back.', () => {
  const text = 'Mo-Fr 10:00-12:00; Mo-Fr 12:00-14:00 "by appointment"'.replace(';', ',');
  assert.equal(told(text, '2026-11-16T11:00'), 'open until 2026-11-16 12:00');
  assert.equal(told(text, '2026-11-16T12:00'), 'unknown until 2026-11-16 14:00');
});

test('A place that is closed for the season opens when the season does.', () => {
  assert.equal(told('Apr-Oct 10:00-20:00', '2026-11-16T12:00'), 'closed until 2027-04-01 10:00');
  assert.equal(told('Apr-Oct 10:00-20:00', '2027-10-31T21:00'), 'closed until ever');
});

test('Days that were not worked out are not guessed.', () => {
  const compiled = compile('Apr-Oct 10:00-20:00');
  assert.deepEqual(at(compiled, '2026-11-13T12:00'), { open: null, until: null });
  assert.deepEqual(at(compiled, '2028-05-01T12:00'), { open: null, until: null });
});

test('Doubtful hours say nothing.', () => {
  assert.deepEqual(at(compile('Mo-Fr 9-5'), '2026-11-16T12:00'), { open: null, until: null });
});

test('An hour that is skipped in spring takes what begins or ends in it to the moment of the skip.', () => {
  // In Berlin the clock goes from 02:00 to 03:00 on 28 March 2027.
  assert.equal(told('Sa 20:00-02:30', '2027-03-28T01:59'), 'open until 2027-03-28 03:00');
  assert.equal(told('Sa 20:00-02:30', '2027-03-28T03:00'), 'closed until 2027-04-03 20:00');
  assert.equal(told('Su 02:30-10:00', '2027-03-28T01:00'), 'closed until 2027-03-28 03:00');
  assert.equal(told('Su 02:10-02:40', '2027-03-28T01:00'), 'closed until 2027-04-04 02:10');
});

test('An hour that comes twice in autumn is open once, or as long as both comings last.', () => {
  // In Berlin the clock goes from 03:00 back to 02:00 on 31 October 2027, at 01:00 UTC.
  const early = compile('Sa 20:00-02:30');
  assert.equal(openAt(early, 'Europe/Berlin', new Date('2027-10-31T00:29Z')).open, true);
  assert.equal(openAt(early, 'Europe/Berlin', new Date('2027-10-31T00:30Z')).open, false);
  assert.equal(openAt(early, 'Europe/Berlin', new Date('2027-10-31T01:15Z')).open, false);
  const late = compile('Sa 20:00-03:00');
  assert.equal(
    openAt(late, 'Europe/Berlin', new Date('2027-10-31T00:10Z')).until?.toISOString(),
    '2027-10-31T02:00:00.000Z',
  );
});

test('On both sides of the date line a place keeps its own days.', () => {
  const compiled = compile('Mo 08:00-12:00');
  const instant = new Date('2026-11-15T19:00Z');
  assert.equal(openAt(compiled, 'Pacific/Kiritimati', instant).open, true);
  assert.equal(openAt(compiled, 'Pacific/Apia', instant).open, true);
  assert.equal(openAt(compiled, 'Pacific/Pago_Pago', instant).open, false);
  const dayLater = new Date('2026-11-16T19:00Z');
  assert.equal(openAt(compiled, 'Pacific/Kiritimati', dayLater).open, false);
  assert.equal(openAt(compiled, 'Pacific/Pago_Pago', dayLater).open, true);
});

test('A day that a zone left out was not opened on.', () => {
  // Apia had no 30 December 2011: 29 December was followed by the 31st at 10:00 UTC.
  const compiled = compile('Th 10:00-20:00; Fr 10:00-20:00; Sa 06:00-20:00');
  const before = openAt(compiled, 'Pacific/Apia', new Date('2011-12-30T09:00Z'));
  assert.equal(before.open, false);
  assert.equal(before.until?.toISOString(), '2011-12-30T16:00:00.000Z');
});

/** Evaluates an hours table with Temporal alone, minute by minute. */
function slowlyOpen(week: readonly DayHours[], timezone: string, instant: number): boolean {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  return [-2, -1, 0, 1, 2].some((step) => {
    const day = zoned.toPlainDate().add({ days: step });
    return (week[day.dayOfWeek - 1] ?? []).some(([start, end]) => {
      const [from, to] = [start, end].map((minute) => slowInstant(day, minute, timezone));
      return from !== undefined && to !== undefined && from <= instant && instant < to;
    });
  });
}

function slowInstant(day: Temporal.PlainDate, minute: number, timezone: string): number {
  const time = day.toPlainDateTime().add({ minutes: minute });
  const zoned = time.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(time)) return zoned.epochMilliseconds;
  return zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? NaN;
}

test('Around every kind of clock change the answer is that of a calculation minute by minute.', () => {
  const changes: [string, string][] = [
    ['Europe/Berlin', '2027-03-28T01:00Z'],
    ['Europe/Berlin', '2027-10-31T01:00Z'],
    ['America/New_York', '2027-11-07T06:00Z'],
    ['Australia/Lord_Howe', '2027-04-03T15:00Z'],
    ['America/Havana', '2027-11-07T05:00Z'],
    ['Africa/Cairo', '2027-10-28T21:00Z'],
    ['Asia/Beirut', '2027-03-27T22:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00Z'],
    ['Pacific/Kiritimati', '1994-12-31T10:00Z'],
    ['Pacific/Kwajalein', '1969-10-01T00:00Z'],
  ];
  const compiled: CompiledHours = compile('Mo-Su 00:00-00:20,01:30-02:30,02:45-03:10,22:00-00:45; We off');
  for (const [timezone, change] of changes) {
    const middle = Date.parse(change);
    for (let instant = middle - WINDOW_MS; instant < middle + WINDOW_MS; instant += STEP_MS) {
      const expected = slowlyOpen(compiled.week, timezone, instant);
      const { open, until } = openAt(compiled, timezone, new Date(instant));
      const where = `${timezone} ${new Date(instant).toISOString()}`;
      assert.equal(open, expected, where);
      assert.equal(isOpenAt(compiled, timezone, new Date(instant)), expected, where);
      assert.ok(until !== null && until.getTime() > instant, where);
      assert.equal(slowlyOpen(compiled.week, timezone, until.getTime()), !expected, where);
      assert.equal(slowlyOpen(compiled.week, timezone, until.getTime() - MINUTE_MS), expected, where);
    }
  }
});

test('An unknown time zone is an error of the caller.', () => {
  assert.throws(() => openAt(compile('24/7'), 'Mars/Olympus', local('2026-11-16T12:00')), RangeError);
});
