import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDay, isStorableDate } from '../../src/core/time.ts';

test('only a day that there is counts as one', () => {
  for (const day of ['2026-11-20', '2028-02-29', '0001-01-01', '9999-12-31']) assert.ok(isDay(day), day);
  for (const none of [
    '',
    '2026-11-31',
    '2026-02-29',
    '2026-13-01',
    '0000-01-01',
    '2026-11-2',
    ' 2026-11-20',
    '2026-11-20T',
  ])
    assert.ok(!isDay(none), none);
});

test('a moment that PostgreSQL could not read is none that can be kept', () => {
  assert.ok(isStorableDate(new Date('2026-11-20T12:00:00Z')));
  for (const none of ['0000-06-01T00:00:00Z', '9999-12-31T23:59:59-14:00', 'nonsense'])
    assert.ok(!isStorableDate(new Date(none)), none);
});
