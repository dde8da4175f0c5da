import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answerBy,
  askFrom,
  nextContactTime,
  offerExpiry,
  tableInstant,
  untilTableWhenAsked,
  type ContactHours,
} from '../../../src/bookings/asking/timing.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

const FOUR_HOURS = 4 * HOUR_MS;
const BALI: ContactHours = { timezone: 'Asia/Makassar', from: 9 * 60, until: 21 * 60 + 30, hours: null };
const week = (span: readonly [number, number]) => ({ week: Array.from({ length: 7 }, () => [span]) });

/** A moment by the clock of the place. */
const at = (text: string) => tableInstant('Asia/Makassar', text.slice(0, 10), text.slice(11));

test('date and time are the wall clock of the place', () => {
  assert.equal(at('2026-11-20T19:30').toISOString(), '2026-11-20T11:30:00.000Z');
  assert.equal(
    tableInstant('Europe/Berlin', '2026-03-29', '02:30').toISOString(),
    '2026-03-29T01:00:00.000Z',
  );
});

test('a venue has four waking hours to answer, also across a night', () => {
  const table = at('2026-11-20T19:30');
  const by = (now: string) => answerBy(BALI, at(now), table, FOUR_HOURS);
  assert.deepEqual(by('2026-11-15T10:00'), at('2026-11-15T14:00'));
  assert.deepEqual(by('2026-11-15T20:00'), at('2026-11-16T11:30'));
  assert.deepEqual(by('2026-11-15T23:00'), at('2026-11-16T13:00'));
  assert.deepEqual(by('2026-11-15T04:00'), at('2026-11-15T13:00'));
});

test('the answer comes an hour before the table at the latest, and never in less than a quarter of an hour', () => {
  const by = (now: string, table: string) => answerBy(BALI, at(now), at(table), FOUR_HOURS);
  assert.deepEqual(by('2026-11-15T17:00', '2026-11-15T19:30'), at('2026-11-15T18:30'));
  assert.deepEqual(by('2026-11-15T18:20', '2026-11-15T19:30'), at('2026-11-15T18:35'));
  assert.deepEqual(by('2026-11-15T19:00', '2026-11-15T19:30'), at('2026-11-15T19:15'));
  assert.deepEqual(by('2026-11-15T19:25', '2026-11-15T19:30'), at('2026-11-15T19:30'));
  assert.ok(
    by('2026-11-15T10:00', '2026-12-15T19:30').getTime() - at('2026-11-15T10:00').getTime() <= 24 * HOUR_MS,
  );
});

test('the deadline shows whether the table was near when it was set', () => {
  for (const [now, near] of [
    ['2026-11-15T18:31', true],
    ['2026-11-15T18:30', false],
    ['2026-11-15T18:10', false],
    ['2026-11-15T12:00', false],
  ] as const) {
    const table = at('2026-11-15T19:30');
    const deadline = answerBy(BALI, at(now), table, FOUR_HOURS);
    assert.equal(untilTableWhenAsked(table, deadline) < HOUR_MS, near, now);
  }
});

test('a venue that is open can be contacted at any hour', () => {
  const bar: ContactHours = { ...BALI, hours: week([18 * 60, 26 * 60]) };
  assert.deepEqual(nextContactTime(bar, at('2026-11-15T23:30')), at('2026-11-15T23:30'));
  assert.deepEqual(nextContactTime(bar, at('2026-11-15T03:00')), at('2026-11-15T09:00'));
  const bakery: ContactHours = { ...BALI, hours: week([5 * 60, 12 * 60]) };
  assert.deepEqual(nextContactTime(bakery, at('2026-11-15T03:00')), at('2026-11-15T05:00'));
  assert.deepEqual(
    answerBy(bakery, at('2026-11-15T03:00'), at('2026-11-20T19:30'), FOUR_HOURS),
    at('2026-11-15T09:00'),
  );
});

test('a venue is asked at night if the morning would be too late', () => {
  const asked = (deadline: string) => askFrom(BALI, at('2026-11-15T23:00'), at(deadline));
  assert.deepEqual(asked('2026-11-16T13:00'), at('2026-11-16T09:00'));
  assert.deepEqual(asked('2026-11-16T07:30'), at('2026-11-15T23:00'));
});

test('an offer stands twelve hours, and ends two hours before its table', () => {
  const until = (table: string) => offerExpiry(at('2026-11-15T10:00'), at(table));
  assert.deepEqual(until('2026-11-20T19:30'), at('2026-11-15T22:00'));
  assert.deepEqual(until('2026-11-15T19:30'), at('2026-11-15T17:30'));
  assert.deepEqual(until('2026-11-15T11:00'), at('2026-11-15T10:15'));
});
