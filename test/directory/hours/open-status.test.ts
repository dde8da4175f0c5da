import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOpenStatus, openByOldHours, usualWords } from '../../../src/directory/hours/open-status.ts';
import { type HoursSource, isVerifiedHours } from '../../../src/directory/hours/verified-hours.ts';
import { BERLIN, compile, local } from './berlin.ts';
import { DAY_MS } from '../../../src/core/time.ts';

const VERIFIED = { timezone: BERLIN.timezone, verified: true };

function status(text: string, time: string): [string, string, string | null] {
  const { state, text: words, next_change_at } = describeOpenStatus(compile(text), VERIFIED, local(time));
  return [state, words, next_change_at];
}

test('An open place says until when.', () => {
  assert.deepEqual(status('Mo-Su 11:00-22:00', '2026-11-16T12:00'), [
    'open',
    'Open until 22:00 local time.',
    '2026-11-16T21:00:00.000Z',
  ]);
  assert.deepEqual(status('Mo-Su 18:00-02:00', '2026-11-16T23:00')[1], 'Open until 02:00 local time.');
});

test('A place that is open for more than a day names the day.', () => {
  const text = 'Fr 18:00-24:00; Sa,Su 00:00-24:00; Mo 00:00-06:00';
  assert.equal(status(text, '2026-11-20T20:00')[1], 'Open until Monday 06:00 local time.');
});

test('An open end is no promise to close.', () => {
  assert.equal(status('Mo-Su 11:00-22:00+', '2026-11-16T12:00')[1], 'Open until at least 22:00 local time.');
});

test('A place that never closes says so.', () => {
  assert.deepEqual(status('24/7', '2026-11-16T12:00'), ['open', 'Open around the clock.', null]);
});

test('A closed place says when it opens, with the date where the weekday would mislead.', () => {
  assert.deepEqual(status('Mo-Fr 09:00-17:00', '2026-11-21T12:00'), [
    'closed_now',
    'Closed now; opens Monday 09:00 local time.',
    '2026-11-23T08:00:00.000Z',
  ]);
  assert.equal(
    status('Mo 09:00-17:00', '2026-11-16T18:00')[1],
    'Closed now; opens 23 November 09:00 local time.',
  );
  assert.equal(
    status('Apr-Oct 10:00-20:00', '2026-11-16T18:00')[1],
    'Closed now; opens 1 April 10:00 local time.',
  );
});

test('A closed place that does not open again, or only perhaps, says no more than that.', () => {
  assert.deepEqual(status('off', '2026-11-16T12:00'), ['closed_now', 'Closed now.', null]);
  assert.equal(status('Mo-Fr 10:00-12:00 "by appointment"', '2026-11-16T08:00')[1], 'Closed now.');
});

test('Old hours promise no opening at a time from which it is only not known whether the place is open.', () => {
  const usual = (text: string) => {
    const now = local('2026-11-15T12:00');
    const state = openByOldHours(compile(text), BERLIN.timezone, '2019-02-01', now);
    return state && usualWords(state, BERLIN.timezone, now);
  };
  const from = '(hours from February 2019; call to check)';
  assert.equal(usual('Tu-Sa 10:00-18:00; Mo "by appointment"'), `usually closed ${from}`);
  assert.equal(usual('Mo-Sa 10:00-18:00'), `usually opens 10:00 ${from}`);
  assert.equal(usual('Mo-Fr 00:00-24:00'), `usually opens 00:00 ${from}`);
});

test('Hours that are not verified, not read or doubtful make no place open or closed.', () => {
  const unverified = {
    open_now: null,
    state: 'unverified',
    text: 'Hours are not verified.',
    next_change_at: null,
  };
  const now = local('2026-11-16T12:00');
  assert.deepEqual(describeOpenStatus(compile('24/7'), { ...VERIFIED, verified: false }, now), unverified);
  assert.deepEqual(describeOpenStatus(null, VERIFIED, now), unverified);
  assert.deepEqual(describeOpenStatus(compile('Mo-Fr 9-5'), VERIFIED, now), unverified);
});

test('Hours by arrangement are not certain.', () => {
  assert.deepEqual(status('Mo-Fr 10:00-12:00 "by appointment"', '2026-11-16T11:00'), [
    'unverified',
    'Whether it is open now is not certain; ask the place.',
    '2026-11-16T11:00:00.000Z',
  ]);
});

const NOW = new Date('2026-11-15T12:00:00Z');

function verified(source: HoursSource, daysAgo: number | null, parsed = true): boolean {
  const observed_at = daysAgo === null ? null : new Date(NOW.getTime() - daysAgo * DAY_MS);
  return isVerifiedHours({ source, observed_at, parsed }, NOW);
}

test('Hours from the owner and from a reviewer are verified however old they are.', () => {
  assert.ok(verified('owner', 5000) && verified('owner', null) && verified('reviewer', 5000));
});

test("Hours from the venue's website are verified through the day on which they turn 180 days old, if they were understood.", () => {
  assert.ok(verified('venue_website', 180) && verified('venue_website', 180.5));
  assert.ok(!verified('venue_website', 180.6) && !verified('venue_website', null));
  assert.ok(!verified('venue_website', 1, false) && !verified('owner', 1, false));
});

test('Hours from a map are verified through the day on which they turn 730 days old, if they were understood.', () => {
  assert.ok(verified('map', 730) && verified('map', 730.5));
  assert.ok(!verified('map', 730.6) && !verified('map', null) && !verified('map', 1, false));
});

test('Hours that an agent submitted are not verified.', () => {
  assert.ok(!verified('agent', 0));
});
