import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  QueueFullError,
  PasswordGate,
  PasswordHashQueue,
} from '../../src/accounts/staff/password-hash-queue.ts';
import { ProcessChannel } from '../../src/core/workers/process-channel.ts';
import { gateOf, keepGate } from '../../src/core/workers/gate.ts';
import { until } from '../harness/service/jobs.ts';

/** A process that serves and the main one, as they see each other; messages come later, as between processes. */
function connected(): { main: ProcessChannel; worker: ProcessChannel } {
  const main: ProcessChannel = new ProcessChannel((message) =>
    setImmediate(() => void worker.receive(message)),
  );
  const worker: ProcessChannel = new ProcessChannel((message) =>
    setImmediate(() => void main.receive(message)),
  );
  return { main, worker };
}

/** The lines of a node, for as many processes as asked for. */
function processes(count: number): { worker: ProcessChannel; line: PasswordHashQueue }[] {
  const gate = new PasswordGate();
  return Array.from({ length: count }, () => {
    const { main, worker } = connected();
    keepGate(worker, 'passwords', gate);
    return { worker, line: new PasswordHashQueue(gateOf(main, 'passwords')) };
  });
}

test('strangers of all processes stand in one line, which has one end', async () => {
  const all = processes(3);
  let atOnce = 0;
  let most = 0;
  const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
  const attempt = async () => {
    most = Math.max(most, ++atOnce);
    await opened;
    atOnce--;
  };
  const attempts = all.flatMap(({ line }) =>
    Array.from({ length: 10 }, () => line.take('stranger', attempt)),
  );
  const outcomes = Promise.allSettled(attempts);
  await until('one has its turn', () => atOnce === 1);
  open(undefined);
  const refused = (await outcomes).filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 5, 'twenty-five may be in it');
  for (const { reason } of refused) assert.ok(reason instanceof QueueFullError);
  assert.equal(most, 1);
});

test('the turns of a process that ended are over, those that it waited for too', async () => {
  const [ending, other] = processes(2);
  assert.ok(ending && other);
  let entered = 0;
  const never = () => new Promise<never>(() => entered++);
  void ending.line.take('session', never);
  void ending.line.take('session', never);
  await until('it has its turn', () => entered === 1);
  const waiting = other.line.take('session', () => Promise.resolve('mine'));
  ending.worker.gone();
  assert.equal(await waiting, 'mine');
  assert.equal(entered, 1);
});

test('a caller of a process that ended gets an error', async () => {
  const { main } = connected();
  const asked = main.request('anything');
  main.gone();
  await assert.rejects(asked, /has ended/);
  await assert.rejects(main.request('anything'), /has ended/);
});

test('a request that could not be answered is an error for its caller', async () => {
  const { main, worker } = connected();
  worker.on('figures', () => {
    throw new Error('no figures');
  });
  await assert.rejects(main.request('figures'), /no figures/);
});

test('a process that does not answer a request yet fails it, so that its figures count as missing', async () => {
  const { main, worker } = connected();
  await assert.rejects(main.request('figures'), /no answer to "figures" yet/);
  worker.on('figures', () => []);
  assert.deepEqual(await main.request('figures'), []);
});
