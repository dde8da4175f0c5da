import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { DeliveryPool } from '../../src/delivery/delivery-pool.ts';
import { Metrics } from '../../src/core/metrics.ts';
import { Listener } from '../../src/core/postgres/listener.ts';
import { KIND_NAMES, slotsFor, type Kind } from '../../src/jobs/kinds.ts';
import { StalledKinds } from '../../src/jobs/stalled-kinds.ts';
import { startJobs } from '../../src/jobs/run-jobs.ts';
import { withLimit } from '../../src/jobs/task-list.ts';
import { defineTask, type Task } from '../../src/jobs/task.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService({ settings: { JOBS_AT_ONCE: '2' } });
const { pool, url } = service.database;
const { config, log } = service.app.deps;

/** The running jobs of each kind, which wait for the gate, and the finished ones. */
const holding = new Map<Kind, number>();
const done: string[] = [];
const gate = Promise.withResolvers<undefined>();

const payload = z.object({ name: z.string() });
const tasks: Record<string, Task> = Object.fromEntries(
  KIND_NAMES.flatMap((kind) => [
    [
      `hold_${kind}`,
      defineTask({
        kind,
        payload,
        run: async () => {
          holding.set(kind, (holding.get(kind) ?? 0) + 1);
          await gate.promise;
        },
      }),
    ],
    [
      `note_${kind}`,
      defineTask({
        kind,
        payload,
        run: async ({ inTransaction }, { name }) => {
          await inTransaction((tx) => tx`select 1`);
          done.push(name);
        },
      }),
    ],
  ]),
);
const listener = new Listener(url);
const deps = {
  ...service.app.deps,
  metrics: new Metrics(),
  outgoing: new DeliveryPool(log),
  stalledKinds: new StalledKinds(),
};
const jobs = startJobs(deps, { databaseUrl: url, listener }, tasks);
after(async () => {
  gate.resolve(undefined);
  await jobs.close();
  await listener.close();
});

async function add(task: string, name: string): Promise<void> {
  await pool`select graphile_worker.add_job(${task}, json_build_object('name', ${name}::text))`;
}

test('a kind whose places are all held by work that does not end delays no other', async () => {
  // Each kind in its turn is the last with a free place, after more than the others can hold.
  const order = KIND_NAMES.toReversed();
  for (const [i, kind] of order.entries()) {
    const places = slotsFor(kind, config);
    for (let n = 0; n < places + 20; n++) await add(`hold_${kind}`, kind);
    await until(`all places of ${kind} are held`, () => holding.get(kind) === places);
    for (const other of order.slice(i + 1)) {
      await add(`note_${other}`, `${other} behind ${kind}`);
      await until(`${other} is done`, () => done.includes(`${other} behind ${kind}`));
    }
  }
  assert.deepEqual(
    KIND_NAMES.map((kind) => holding.get(kind)),
    KIND_NAMES.map((kind) => slotsFor(kind, config)),
    'none has taken more than its places',
  );
  await add('note_asking', 'one too many');
  const [waiting] = await pool<{ attempts: number }[]>`
    select attempts from graphile_worker._private_jobs where payload->>'name' = 'one too many'`;
  assert.equal(waiting?.attempts, 0);
  gate.resolve(undefined);
  await until('it has its turn', () => done.includes('one too many'));
});

test('all kinds of a node take their jobs on a few connections, and listen on the one that the node has', async () => {
  const rows = await pool<{ name: string; count: number }[]>`
    select application_name as name, count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name in ('waypost jobs', 'waypost listener')
    group by 1 order by 1`;
  // Two sets of runners stand on this database: the service's and the one of this file.
  const counts = new Map(rows.map(({ name, count }) => [name, count]));
  assert.ok((counts.get('waypost jobs') ?? 0) <= 2 * 4);
  assert.equal(counts.get('waypost listener'), 2);
});

test('a job that hangs is told to stop when its time is over, and keeps its place no longer', async () => {
  const { signal } = new AbortController();
  let told: AbortSignal | undefined;
  const hung = withLimit(50, signal, (own) => {
    told = own;
    return new Promise(() => undefined);
  });
  await assert.rejects(hung, /took longer than 0\.05 seconds/);
  assert.equal(told?.aborted, true);
});

test('the end of the service is heard by a job in hand', async () => {
  const ending = new AbortController();
  const heard = withLimit(60_000, ending.signal, (own) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    own.addEventListener('abort', () => {
      resolve(undefined);
    });
    return promise.then(() => undefined);
  });
  ending.abort();
  await heard;
});
