import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LibraryClock } from '../../src/oauth/storage/library-clock.ts';

const LIFE_SECONDS = 30 * 86_400;
const PROCESS_MS = Date.parse('2026-11-16T08:00:00Z');
const SERVICE_MS = Date.parse('2026-11-14T12:00:00Z');

test('a time that has come for the service has come for the library, wherever in a second either clock stands', (t) => {
  let serviceMs = 0;
  const clock = new LibraryClock({ now: () => new Date(serviceMs) });
  t.mock.timers.enable({ apis: ['Date'] });
  const seconds = () => Math.floor(Date.now() / 1000);
  for (const service of [0, 250, 500, 999])
    for (const written of [0, 250, 499, 500, 999])
      for (const read of [0, 250, 499, 500, 999]) {
        const where = `${service} ${written} ${read}`;
        serviceMs = SERVICE_MS + service;
        t.mock.timers.setTime(PROCESS_MS + written);
        const stored = clock.toService({ exp: seconds() + LIFE_SECONDS });
        t.mock.timers.setTime(PROCESS_MS + 1_000 + read);
        serviceMs += (LIFE_SECONDS - 1) * 1_000;
        assert.ok(Number(clock.toLibrary(stored).exp) > seconds(), `it lives for its last second: ${where}`);
        serviceMs += 1_000;
        assert.ok(Number(clock.toLibrary(stored).exp) <= seconds(), `and not longer: ${where}`);
      }
});
