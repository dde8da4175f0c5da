import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyCallback, type SigningKey } from '../../packages/client/src/webhooks.ts';
import { queueCallback } from '../../src/callbacks/queue-callback.ts';
import { rotateSigningKey } from '../../src/delivery/signing-key.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { runWaypost } from '../commands/run-waypost.ts';
import { until } from '../harness/service/jobs.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { startReceiver } from './receiver.ts';

const receiver = await startReceiver();
const service = await startTestService({ settings: { EGRESS_ALLOW: receiver.pair } });
const { deps } = service.app;
const { pool } = service.database;
const { agentId } = await signUpAgent(service);

let calls = 0;
/** Sends a callback and returns it as its receiver got it. */
async function callBack() {
  const path = `/call-${++calls}`;
  const callback = {
    ...{
      url: receiver.url + path,
      agentId,
      subjectId: `sub_${calls}`,
      event: 'submission.approved' as const,
    },
    payload: { type: 'business', status: 'approved', revision: 1 },
  };
  const ctx = { newId: deps.newId, now: deps.clock.now() };
  await pool.begin((sql) => queueCallback(sql, ctx, callback));
  const { body, headers } = await until('the callback arrives', () =>
    receiver.received.find((one) => one.path === path),
  );
  return { body, headers: headers as Record<string, string> };
}

async function publishedKeys(): Promise<SigningKey[]> {
  const answer = await service.request('/.well-known/svc-webhook-keys.json');
  return ((await answer.json()) as { keys: SigningKey[] }).keys;
}

const signaturesOf = ({ headers }: { headers: Record<string, string> }) => [
  headers['webhook-signature']?.split(' ').length,
  headers['svc-signature']?.match(/v1a=/g)?.length,
];

test('after a rotation receivers verify with the old key and with the new one until the grace period ends', async () => {
  const before = await callBack();
  const old = await publishedKeys();
  assert.equal(old.length, 1);
  assert.deepEqual(signaturesOf(before), [1, 1]);
  await verifyCallback(before, old, { now: service.clock.now() });

  const { kid } = await pool.begin((tx) => rotateSigningKey(tx, deps.clock.now(), 7 * DAY_MS));
  const both = await publishedKeys();
  assert.deepEqual(
    both.map((key) => key.kid),
    [kid, old[0]?.kid],
  );
  const during = await callBack();
  assert.deepEqual(signaturesOf(during), [2, 2]);
  await verifyCallback(during, old, { now: service.clock.now() });
  await verifyCallback(during, both.slice(0, 1), { now: service.clock.now() });
  await verifyCallback(before, both, { now: service.clock.now() });

  service.clock.advance(7 * DAY_MS);
  const after = await callBack();
  assert.deepEqual(signaturesOf(after), [1, 1]);
  const now = await publishedKeys();
  assert.deepEqual(
    now.map((key) => key.kid),
    [kid],
  );
  await verifyCallback(after, now, { now: service.clock.now() });
  await assert.rejects(verifyCallback(after, old, { now: service.clock.now() }));
});

test('the command rotates the key; without a grace period the old one ends at once', async () => {
  const settings = { DATABASE_URL: service.database.url, BASE_URL: 'http://localhost:3000' };
  const [old] = await publishedKeys();
  const { code, out, error } = await runWaypost(
    ['secrets', 'rotate', 'signing-key', '--grace-days', '0'],
    settings,
  );
  assert.deepEqual([code, error], [0, '']);
  const keys = await publishedKeys();
  assert.equal(keys.length, 1);
  assert.notEqual(keys[0]?.kid, old?.kid);
  assert.match(out, new RegExp(`new key ${keys[0]?.kid ?? ''} `));
  for (const wrong of [['session'], ['signing-key', '--grace-days', '91']])
    assert.equal((await runWaypost(['secrets', 'rotate', ...wrong], settings)).code, 2, wrong.join(' '));
  assert.deepEqual(await publishedKeys(), keys);
});
