import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { DeliveryPool } from '../../src/delivery/delivery-pool.ts';
import { Metrics } from '../../src/core/metrics.ts';
import { connect } from '../../src/core/postgres/db.ts';
import { Listener } from '../../src/core/postgres/listener.ts';
import { KIND_NAMES, slotsFor } from '../../src/jobs/kinds.ts';
import { startJobs } from '../../src/jobs/run-jobs.ts';
import { StalledKinds } from '../../src/jobs/stalled-kinds.ts';
import { defineTask, type Task } from '../../src/jobs/task.ts';
import { openDatabaseLink, type DatabaseLink } from './database-link.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService();
const { pool, url } = service.database;
const { config, log } = service.app.deps;

/** How often each job was begun, by its name. */
const begun = new Map<string, number>();
/** Jobs whose name begins with one of these words wait for its gate. */
const gates = { hold: Promise.withResolvers<undefined>(), brief: Promise.withResolvers<undefined>() };
const newGates = () => {
  for (const word of ['hold', 'brief'] as const) gates[word] = Promise.withResolvers();
};

const tasks: Record<string, Task> = Object.fromEntries(
  KIND_NAMES.map((kind) => [
    `try_${kind}`,
    defineTask({
      kind,
      payload: z.object({ name: z.string() }),
      run: async (_job, { name }) => {
        begun.set(name, (begun.get(name) ?? 0) + 1);
        if (name.startsWith('hold')) await gates.hold.promise;
        if (name.startsWith('brief')) await gates.brief.promise;
      },
    }),
  ]),
);

interface Node {
  link: DatabaseLink;
  stalledKinds: StalledKinds;
  close: () => Promise<void>;
}

/** The jobs of a node that reaches its database by a link. */
async function startNode(state: 'open' | 'cut', stalledAfterMs?: number): Promise<Node> {
  const link = await openDatabaseLink(url);
  link.set(state);
  const linked = connect(link.url, { max: 4, statementTimeoutMs: 15_000 });
  const listener = new Listener(link.url);
  const stalledKinds = new StalledKinds();
  const deps = {
    ...service.app.deps,
    pool: linked,
    metrics: new Metrics(),
    outgoing: new DeliveryPool(log),
    stalledKinds,
  };
  const where = { databaseUrl: link.url, listener, ...(stalledAfterMs && { stalledAfterMs }) };
  const jobs = startJobs(deps, where, tasks);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll());
  const closeAll = async () => {
    gates.hold.resolve(undefined);
    gates.brief.resolve(undefined);
    await jobs.close();
    await listener.close();
    await linked.end({ timeout: 1 });
    link.close();
  };
  after(close);
  return { link, stalledKinds, close };
}

async function addEach(name: string, kinds = KIND_NAMES): Promise<void> {
  for (const kind of kinds)
    await pool`
      select graphile_worker.add_job(${`try_${kind}`}, json_build_object('name', ${`${name} ${kind}`}::text))`;
}

const untilBegun = (name: string, times = 1, kinds = KIND_NAMES) =>
  until(`every kind has begun "${name}"`, () =>
    kinds.every((kind) => (begun.get(`${name} ${kind}`) ?? 0) >= times),
  );

const untilEmpty = () =>
  until('no job is left', async () => {
    const left = await pool`select from graphile_worker.jobs where task_identifier like 'try_%'`;
    return left.length === 0;
  });

test('every kind takes its jobs after a start during which the database was away', async () => {
  const node = await startNode('cut');
  await addEach('after the start');
  // Each kind has tried at least once, and its first look at the queue has failed.
  await until('the node has tried', () => node.link.refused > 2 * KIND_NAMES.length);
  node.link.set('open');
  await untilBegun('after the start');
  await untilEmpty();
  await node.close();
});

test('every kind goes on after the database died while it had jobs in hand, and these are done', async () => {
  newGates();
  const node = await startNode('open');
  await addEach('hold');
  await untilBegun('hold');
  node.link.set('cut');
  // They end while nobody can record it.
  gates.hold.resolve(undefined);
  const { refused } = node.link;
  await until('the node has tried', () => node.link.refused > refused + 2 * KIND_NAMES.length);
  node.link.set('open');
  await addEach('after the crash');
  await untilBegun('after the crash');
  await untilEmpty();
  await node.close();
});

test('a job that does not end when the database died keeps no other job of its kind waiting', async () => {
  newGates();
  const node = await startNode('open');
  const several = KIND_NAMES.filter((kind) => slotsFor(kind, config) > 1);
  await addEach('hold on', several);
  await addEach('brief', several);
  await untilBegun('hold on', 1, several);
  await untilBegun('brief', 1, several);
  node.link.set('cut');
  const { refused } = node.link;
  // Its end cannot be recorded, so the worker pool ends, and waits for the other job.
  gates.brief.resolve(undefined);
  await until('the node has tried', () => node.link.refused > refused + 2 * several.length);
  node.link.set('open');
  await addEach('beside it', several);
  await untilBegun('beside it', 1, several);
  assert.ok(
    several.every((kind) => begun.get(`hold on ${kind}`) === 1),
    'what is still in hand is not begun again',
  );
  gates.hold.resolve(undefined);
  await untilEmpty();
  await node.close();
});

test('a kind that sees none of its due jobs is restarted, logs an error, and is shown as stalled until it goes on', async () => {
  const node = await startNode('open', 6_000);
  await addEach('before');
  await untilBegun('before');
  await untilEmpty();
  const stalled: string[][] = [];
  node.stalledKinds.changed = ({ kinds }) => stalled.push(kinds);
  // graphile-worker keeps the numbers of its tasks for as long as it runs: with others it finds nothing.
  await pool`delete from graphile_worker._private_tasks where identifier = 'try_mail'`;
  await addEach('renumbered');
  await untilBegun('renumbered');
  await untilEmpty();
  await until('it is not stalled any more', () => node.stalledKinds.kinds.length === 0);
  assert.deepEqual(stalled, [['mail'], []]);
  const line = service.logged.find(({ msg }) => msg === 'jobs of a kind are stalled; restarting the kind');
  assert.equal(line?.['kind'], 'mail');
  assert.equal(line['level'], 'error');
  await node.close();
});
