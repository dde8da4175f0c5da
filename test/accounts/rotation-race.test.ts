import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tries } from '../harness/tier.ts';
import { signUpAgent, startTestService, type TestService } from '../harness/service/service.ts';

const first = await startTestService();
const second = await startTestService({ database: first.database });
const nodes = [first, second];
const ROTATIONS = tries({ quick: 4, long: 20 });
const WORKERS_PER_NODE = tries({ quick: 2, long: 4 });

function call(node: TestService, apiKey: string, method = 'GET', path = '/api/agent/me'): Promise<Response> {
  return node.request(path, { method, headers: { authorization: `Bearer ${apiKey}` } });
}

async function rotate(node: TestService, apiKey: string): Promise<string> {
  const response = await call(node, apiKey, 'POST', '/api/agent/me/rotate');
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { api_key: string }).api_key;
}

test('many rotations under load on two nodes: no request with the old key passes after the answer', async () => {
  const { apiKey } = await signUpAgent(first);
  const keys = [apiKey];
  const answeredAt: number[] = [];
  const late: string[] = [];
  const load = { done: false, sent: 0, served: 0 };
  const worker = async (node: TestService) => {
    while (!load.done) {
      // Half of the load goes on with the key before, as a client does that has not heard of the new one.
      const index = Math.max(0, keys.length - 1 - (load.sent++ % 2));
      const begun = performance.now();
      const response = await call(node, keys[index] ?? '');
      await response.arrayBuffer();
      if (response.status === 200) load.served++;
      if (response.status === 200 && (answeredAt[index] ?? Infinity) < begun) late.push(`key ${index}`);
    }
  };
  const workers = nodes.flatMap((node) => Array.from({ length: WORKERS_PER_NODE }, () => worker(node)));
  for (let round = 0; round < ROTATIONS; round++) {
    const old = keys.at(-1) ?? '';
    const fresh = await rotate(nodes[round % 2] ?? first, old);
    answeredAt.push(performance.now());
    keys.push(fresh);
    const after = await Promise.all(
      [old, old, fresh, fresh].map((key, index) => call(nodes[index % 2] ?? first, key)),
    );
    assert.deepEqual(
      after.map(({ status }) => status),
      [401, 401, 200, 200],
      `round ${round}`,
    );
  }
  load.done = true;
  await Promise.all(workers);
  assert.deepEqual(late, []);
  assert.ok(
    load.served > ROTATIONS && load.sent > load.served,
    `${load.served} of ${load.sent} requests were served`,
  );
});

test('of many rotations with one key at the same instant one wins, and its key is the one that works', async () => {
  const { agentId, apiKey } = await signUpAgent(first);
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const response = await call(nodes[index % 2] ?? first, apiKey, 'POST', '/api/agent/me/rotate');
      return {
        status: response.status,
        body: (await response.json()) as { api_key?: string; code?: string },
      };
    }),
  );
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  assert.deepEqual(
    new Set(
      answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.code}`),
    ),
    new Set(['401 key_revoked']),
  );
  assert.equal((await call(second, won[0]?.body.api_key ?? '')).status, 200);
  const [live] = await first.database.pool<{ count: number }[]>`
    select count(*)::int from api_key where agent_id = ${agentId} and revoked_at is null`;
  assert.equal(live?.count, 1);
});
