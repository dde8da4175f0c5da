import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileHours } from '../../../src/directory/hours/compile/compile-hours.ts';

const NOW = new Date('2026-01-10T12:00:00Z');
const GB = { country: 'GB', timezone: 'Europe/London', now: NOW };
const ES = { country: 'ES', timezone: 'Europe/Madrid', now: NOW };

/** The days of the coming year on which a place that shuts on holidays is shut. */
function holidays(place: Parameters<typeof compileHours>[1]): string[] {
  return Object.keys(compileHours('Mo-Su 09:00-17:00; PH off', place)?.exceptions ?? {});
}

test('A holiday of a part of the country shuts the places there, and no others.', () => {
  const edinburgh = holidays({ ...GB, lat: 55.953, lng: -3.189 });
  const london = holidays({ ...GB, lat: 51.507, lng: -0.128 });
  const belfast = holidays({ ...GB, lat: 54.597, lng: -5.93 });
  const andrew = '2026-11-30';
  const patrick = '2026-03-17';
  assert.deepEqual(
    [edinburgh, london, belfast].map((days) => days.includes(andrew)),
    [true, false, false],
  );
  assert.deepEqual(
    [edinburgh, london, belfast].map((days) => days.includes(patrick)),
    [false, false, true],
  );
  for (const days of [edinburgh, london, belfast]) assert.ok(days.includes('2026-12-25'));
});

test('The Balearic Islands have holidays of their own, and the mainland of Spain those of the whole country.', () => {
  const day = '2026-03-01';
  assert.ok(holidays({ ...ES, lat: 39.57, lng: 2.65 }).includes(day));
  assert.ok(!holidays({ ...ES, lat: 40.4, lng: -3.7 }).includes(day));
});
