import { transactionsOf } from '../../../src/core/postgres/db.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWebsiteProbes, WebsiteProbes } from '../../../src/directory/website-probe/probe-websites.ts';
import { createTestDatabase } from '../../harness/service/database.ts';
import { stepOf, until } from '../../harness/service/jobs.ts';
import {
  service,
  clock,
  pool,
  hosts,
  traffic,
  options,
  round,
  addVenue,
  probeOf,
  onlyOneHealthyVenue,
} from './made-websites.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

test('only so many are asked in a round, only a few at once, and the rest have their turn in the next', async () => {
  await onlyOneHealthyVenue();
  const pause = async () => {
    await new Promise((wake) => setTimeout(wake, 5));
    return 200;
  };
  for (let venue = 1; venue < 10; venue++) await addVenue(`v${venue}.venue`, pause);
  traffic.most = 0;
  const aliveMs = 24 * HOUR_MS;
  const rounds: (number | undefined)[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const intervals = { aliveMs, failedMs: aliveMs, deadMs: aliveMs, unclearMs: aliveMs };
    rounds.push((await round({ perRound: 4, atOnce: 2, intervals }))?.checked);
  }
  assert.deepEqual(rounds, [4, 4, 2, 0]);
  assert.ok(traffic.most <= 2, String(traffic.most));
});

test('one host is asked about one venue in a round, and its others are put off a minute each', async () => {
  await onlyOneHealthyVenue();
  const ids: string[] = [];
  for (const path of ['/a', '/b', '/c'])
    ids.push(await addVenue(path === '/b' ? 'www.chain.venue' : 'chain.venue', () => 200, path));
  const day = 24 * HOUR_MS;
  const intervals = { aliveMs: day, failedMs: day, deadMs: day, unclearMs: day };
  await round({ intervals });
  assert.equal(traffic.asked.filter(({ host }) => host.endsWith('chain.venue')).length, 1);
  const waits = await Promise.all(
    ids.map(async (id) => ((await probeOf(id))?.next_probe_at.getTime() ?? 0) - clock.now().getTime()),
  );
  assert.deepEqual(
    waits.sort((a, b) => a - b),
    [60_000, 120_000, day],
  );
  clock.advance(60_000);
  assert.equal((await round({ intervals }))?.checked, 1);
});

test('one node is at it at a time', async () => {
  await onlyOneHealthyVenue();
  const [reached, release] = [Promise.withResolvers<undefined>(), Promise.withResolvers<number>()];
  hosts.set('healthy.venue', () => {
    reached.resolve(undefined);
    return release.promise;
  });
  const first = round();
  await reached.promise;
  const other = new WebsiteProbes({ ...service.app.deps, ...stepOf(service) }, options());
  assert.equal(await other.round(new AbortController().signal), undefined);
  release.resolve(200);
  assert.equal((await first)?.alive, 1);
  assert.equal((await other.round(new AbortController().signal))?.alive, 1, 'then it is free');
});

test('the service probes by itself, and closing it calls off what is under way without a verdict', async () => {
  const id = await onlyOneHealthyVenue();
  const probes = startWebsiteProbes(
    { ...service.app.deps, ...stepOf(service) },
    { ...options(), everyMs: 10 },
  );
  await until('the venue is alive', async () => (await probeOf(id))?.last_result === 'alive');
  const reached = Promise.withResolvers<undefined>();
  hosts.set('healthy.venue', () => {
    reached.resolve(undefined);
    return new Promise<number>(() => undefined);
  });
  await reached.promise;
  await probes.close();
  assert.equal((await probeOf(id))?.last_result, 'alive');
  const [held] = await pool<{ locks: number }[]>`
    select count(*)::int as locks from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and d.datname = current_database()`;
  assert.equal(held?.locks, 0);
});

test('while the database is away the failure is logged, and once it is back the work goes on', async () => {
  const lost = await createTestDatabase();
  const name = new URL(lost.url).pathname.slice(1);
  const probes = startWebsiteProbes(
    { ...service.app.deps, pool: lost.pool, inTransaction: transactionsOf(lost.pool) },
    { ...options(), everyMs: 10 },
  );
  await pool.unsafe(`alter database ${name} allow_connections false`);
  await pool`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  await until('the failure is logged', () =>
    service.logged.some(({ msg }) => String(msg).startsWith('websites could not be checked')),
  );
  await pool.unsafe(`alter database ${name} allow_connections true`);
  await onlyOneHealthyVenue(lost.pool);
  // A round may have gone through the empty directory before it was away; it looks for new websites after an hour.
  clock.advance(HOUR_MS);
  await until(
    'the work goes on',
    async () => (await lost.pool`select 1 from website_probe where last_result = 'alive'`).length > 0,
  );
  await probes.close();
  await lost.drop();
});
