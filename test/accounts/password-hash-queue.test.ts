import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  QueueFullError,
  PasswordGate,
  PasswordHashQueue,
} from '../../src/accounts/staff/password-hash-queue.ts';

const line = new PasswordHashQueue(new PasswordGate());

test('strangers are served one at a time, the queue is bounded, and people with a second factor go first', async () => {
  const served: string[] = [];
  let atOnce = 0;
  const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
  const stranger = (n: number) =>
    line.take('stranger', async () => {
      assert.equal((atOnce += 1), 1);
      await opened;
      atOnce -= 1;
      served.push(`stranger ${n}`);
    });
  const waiting = Array.from({ length: 25 }, (_, n) => stranger(n));
  await assert.rejects(stranger(25), QueueFullError);
  const known = Array.from({ length: 3 }, (_, n) =>
    line.take('second_factor', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      served.push(`known ${n}`);
    }),
  );
  await known[0];
  assert.deepEqual(served, ['known 0'], 'the stranger whose turn it is holds up nobody who is known');
  open(undefined);
  await Promise.all([...waiting, ...known]);
  assert.deepEqual(served.slice(0, 4).sort(), ['known 0', 'known 1', 'known 2', 'stranger 0']);
  assert.deepEqual(
    served.filter((who) => who.startsWith('stranger')),
    Array.from({ length: 25 }, (_, n) => `stranger ${n}`),
  );
  await stranger(26);
});

test('an entry of the queue that fails lets the next one in', async () => {
  await assert.rejects(
    line.take('session', () => Promise.reject(new Error('wrong'))),
    /wrong/,
  );
  assert.equal(await line.take('session', () => Promise.resolve('right')), 'right');
});
