import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RELEASE } from '../../src/core/release.ts';
import { connect } from '../../src/core/postgres/db.ts';
import { KIND_NAMES } from '../../src/jobs/kinds.ts';
import { signInStaff } from '../harness/people/staff.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { LONG } from '../harness/tier.ts';

const service = await startTestService();
const { pool, url } = service.database;

const readiness = async () => {
  const response = await service.request('/readyz');
  const body = (await response.json()) as { status: string; jobs: string; stalled_jobs?: string[] };
  return { code: response.status, ...body };
};
/**
 * The watchdog finds that a kind stands still after a quarter of a minute. `npm test` notes it in its place, again and again,
 * because the watchdog takes the note back until it has looked twice.
 */
const note = () => {
  const { stalledKinds } = service.app.deps;
  if (!LONG) for (const kind of KIND_NAMES) stalledKinds.restarted(kind, service.clock.now());
};
const RUNNING = { code: 200, status: 'ready', ...RELEASE, jobs: 'running' };

test('kinds that cannot reach the queue are shown by /readyz, /metrics and the console until they can again', async () => {
  const staff = await signInStaff(service, 'desk');
  await until('the node runs its jobs', async () => {
    const runners = await pool`select from job_runner`;
    return runners.length === KIND_NAMES.length;
  });
  assert.deepEqual(await readiness(), RUNNING);
  assert.doesNotMatch(await (await staff.get('/console')).text(), /Some background work is stalled/);
  assert.match(await (await staff.get('/console/health')).text(), /All is well: all \d+ parts work/);

  const holder = connect(url, { max: 1, statementTimeoutMs: 0 });
  const gate = Promise.withResolvers<undefined>();
  const locked = Promise.withResolvers<undefined>();
  const holding = holder.begin(async (sql) => {
    await sql`lock table graphile_worker._private_jobs in access exclusive mode`;
    locked.resolve(undefined);
    await gate.promise;
  });
  await locked.promise;
  const all = [...KIND_NAMES].sort();
  const stalled = await until('every kind is stalled', async () => {
    note();
    const seen = await readiness();
    return seen.stalled_jobs?.length === all.length && seen;
  });
  assert.deepEqual(stalled, { code: 200, status: 'ready', ...RELEASE, jobs: 'stalled', stalled_jobs: all });
  note();
  const metrics = await (await service.request('/metrics')).text();
  for (const kind of KIND_NAMES) {
    assert.match(metrics, new RegExp(`^waypost_jobs_stalled\\{kind="${kind}"\\} 1$`, 'm'));
    assert.match(metrics, new RegExp(`^waypost_job_restarts_total\\{kind="${kind}"\\} [1-9]`, 'm'));
  }
  await until('the console says so', async () => {
    note();
    const page = await (await staff.get('/console')).text();
    return page.includes('Some background work is stalled') && page.includes('Venues are not asked by mail.');
  });
  const health = await (await staff.get('/console/health')).text();
  assert.match(
    health,
    new RegExp(`${KIND_NAMES.length} of ${KIND_NAMES.length + 2} parts do not work: .*Mail to venues`),
  );

  gate.resolve(undefined);
  await holding;
  await holder.end({ timeout: 1 });
  await until('every kind runs again', async () => (await readiness()).jobs === 'running');
  // It hears of it with the next sign of life.
  if (!LONG) return;
  await until('the console says nothing of it any more', async () => {
    return !(await (await staff.get('/console')).text()).includes('Some background work is stalled');
  });
});
