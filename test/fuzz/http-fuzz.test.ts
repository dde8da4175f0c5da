import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { tries } from '../harness/tier.ts';
import { explore } from './explore.ts';
import { World } from './world/world.ts';

const REQUESTS = tries({ quick: 60, long: 250 });
/** Always the same, so that the suite does not change by chance; npm run fuzz:http tries others. */
const SEED = 1700;

const world = await World.open();
after(() => world.close());

test('random requests to every surface, valid and hostile, get answers within their schemas and no words of others', async () => {
  const { failures, tally } = await explore(world, { requests: REQUESTS, seed: SEED, note: () => undefined });
  assert.deepEqual(
    failures.map(({ sign, detail, words }) => `${sign}\n${detail}\n${words}`),
    [],
  );
  // A fuzzer whose requests all end at the door tries nothing.
  assert.ok(tally.count(/^2xx/) > REQUESTS / 4, tally.lines().join('\n'));
  assert.ok(tally.count(/^(401|429)/) < REQUESTS / 8, tally.lines().join('\n'));
});
