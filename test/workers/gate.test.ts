import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineFullError, PasswordGate, PasswordLine } from '../../src/accounts/staff/password-line.ts';
import { Counterpart } from '../../src/core/workers/counterpart.ts';
import { gateOf, keepGate } from '../../src/core/workers/gate.ts';
import { until } from '../harness/service/jobs.ts';

/** A process that serves and the main one, as they see each other; messages come later, as between processes. */
function connected(): { main: Counterpart; worker: Counterpart } {
  const main: Counterpart = new Counterpart((message) => setImmediate(() => void worker.receive(message)));
  const worker: Counterpart = new Counterpart((message) => setImmediate(() => void main.receive(message)));
  return { main, worker };
}

/** The lines of a node, for as many processes as asked for. */
function processes(count: number): { worker: Counterpart; line: PasswordLine }[] {
  const gate = new PasswordGate();
  return Array.from({ length: count }, () => {
    const { main, worker } = connected();
    keepGate(worker, 'passwords', gate);
    return { worker, line: new PasswordLine(gateOf(main, 'passwords')) };
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
  for (const { reason } of refused) assert.ok(reason instanceof LineFullError);
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

test('who asked a process that ended hears of it', async () => {
  const { main } = connected();
  const asked = main.ask('anything');
  main.gone();
  await assert.rejects(asked, /has ended/);
  await assert.rejects(main.ask('anything'), /has ended/);
});

test('what could not be answered is an error to who asked', async () => {
  const { main, worker } = connected();
  worker.on('figures', () => {
    throw new Error('no figures');
  });
  await assert.rejects(main.ask('figures'), /no figures/);
});
