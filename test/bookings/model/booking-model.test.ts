import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { tries } from '../../harness/tier.ts';
import { explore } from './explore.ts';
import { REGRESSIONS } from './regressions.ts';
import { runSequence } from './run-sequence.ts';
import { World } from './world.ts';

/** The same sequences each time; npm run fuzz:bookings goes on from others. */
const SEED = 20_261_116;
const SEQUENCES = tries({ quick: 6, long: 250 });

describe('any order of events by partners, venues, their systems and crashes', async () => {
  const world = await World.open();
  after(() => world.close());

  for (const [name, lines] of Object.entries(REGRESSIONS))
    test(name, async () => {
      assert.deepEqual(await runSequence(world, lines), []);
    });

  test(`our record and the venue's agree, after ${SEQUENCES} random sequences`, async () => {
    const options = { runs: SEQUENCES, seed: SEED, note: () => undefined };
    assert.deepEqual(await explore(world, options), []);
  });
});
