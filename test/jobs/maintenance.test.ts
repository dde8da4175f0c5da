import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RELEASE } from '../../src/core/release.ts';
import { Logger } from 'graphile-worker';
import { z } from 'zod';
import { DeliveryPool } from '../../src/delivery/delivery-pool.ts';
import type { Log } from '../../src/core/log.ts';
import { Metrics } from '../../src/core/metrics.ts';
import { Listener } from '../../src/core/postgres/listener.ts';
import { openQueuePool } from '../../src/jobs/queue-pool.ts';
import { CronRunner } from '../../src/jobs/run-cron.ts';
import { startJobs } from '../../src/jobs/run-jobs.ts';
import { StalledKinds } from '../../src/jobs/stalled-kinds.ts';
import { defineTask } from '../../src/jobs/task.ts';
import { MAINTENANCE, TASKS } from '../../src/node/tasks.ts';
import { runMaintenance, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService();
const { pool, url } = service.database;

test('every task of the schedule has a name of its own and can be queued under it', async () => {
  assert.equal(MAINTENANCE.length, 16);
  assert.equal(new Set(MAINTENANCE.map(({ name }) => name)).size, MAINTENANCE.length);
  for (const { name } of MAINTENANCE) assert.ok(TASKS[name], name);
  await runMaintenance(service);
});

test('several nodes queue a task once, and one that was due while no node ran is not lost', async () => {
  const ran: string[] = [];
  const tasks = Object.fromEntries(
    ['missed', 'fresh'].map((name) => [
      name,
      defineTask({
        kind: 'upkeep',
        payload: z.object({}),
        run: () => {
          ran.push(name);
          return Promise.resolve();
        },
      }),
    ]),
  );
  // Half an hour ago, so that neither is due again during the test.
  const minute = (new Date().getUTCMinutes() + 30) % 60;
  const schedule = Object.keys(tasks).map((name) => ({ name, schedule: `${minute} * * * *` }));
  await pool`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('missed', now() - interval '1 day', now() - interval '2 hours')`;
  const listener = new Listener(url);
  const nodes = [1, 2, 3].map(() => {
    const { deps } = service.app;
    const own = {
      ...deps,
      metrics: new Metrics(),
      deliveryPool: new DeliveryPool(deps.log),
      stalledKinds: new StalledKinds(),
    };
    return startJobs(own, { databaseUrl: url, listener }, tasks, schedule);
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await listener.close();
  });
  await until('the missed task has run', () => ran.includes('missed'));
  await until('every node knows the schedule', async () => {
    const [known] = await pool`
      select from graphile_worker._private_known_crontabs where identifier = 'fresh'`;
    return known !== undefined;
  });
  await until('nothing waits', async () => {
    const [job] = await pool`select from graphile_worker.jobs where task_identifier in ('missed', 'fresh')`;
    return job === undefined;
  });
  assert.deepEqual(ran, ['missed']);
});

test('a schedule that cannot run says so once at the level of errors and in /readyz, and goes on trying', async () => {
  const lines: string[] = [];
  const note = (level: string) => (_detail: unknown, message: string) => lines.push(`${level}: ${message}`);
  const log = { error: note('error'), debug: note('debug') } as unknown as Log;
  const { stalledKinds } = service.app.deps;
  const readiness = async () => (await service.request('/readyz')).json();
  assert.deepEqual(await readiness(), { status: 'ready', ...RELEASE, jobs: 'running' });
  let isDatabaseThere = false;
  const cron = new CronRunner({
    log,
    logger: new Logger(() => () => undefined),
    pool: () => {
      if (!isDatabaseThere) throw new Error('There is no database.');
      return queuePool;
    },
    schedule: MAINTENANCE,
    changed: (isRunning) => {
      stalledKinds.scheduleChanged(isRunning);
    },
  });
  const queuePool = openQueuePool(url, log);
  after(() => queuePool.end());
  cron.start();
  await until('it was tried again', () => lines.length >= 2);
  assert.deepEqual(await readiness(), {
    status: 'ready',
    ...RELEASE,
    jobs: 'running',
    maintenance: 'degraded',
  });
  isDatabaseThere = true;
  await until('it runs', async () => {
    const { maintenance } = (await readiness()) as { maintenance: string };
    return maintenance === 'running';
  });
  await cron.close();
  assert.deepEqual(lines.slice(0, 2), [
    'error: the schedule of tasks ended; restarting it',
    'debug: the schedule of tasks ended; restarting it',
  ]);
});
