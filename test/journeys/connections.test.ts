import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, transactionsOf } from '../../src/core/postgres/db.ts';
import { TransactionShares } from '../../src/core/postgres/transaction-shares.ts';
import { beginTransaction, createTestDatabase, withServer } from '../harness/service/database.ts';
import { business, SubmittingAgent } from '../harness/people/submissions.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';

const BUDGET = 20;
const AT_ONCE = 20;

const database = await createTestDatabase();
const { pools } = (await import('../../src/config.ts')).parseConfig({});
const pool = connect(database.url, { max: pools.write, statementTimeoutMs: 15_000 });
const service = await startTestService({ database: { ...database, pool } });
after(async () => {
  await service.close();
  await pool.end({ timeout: 1 });
  await database.drop();
});

async function openConnections(): Promise<number> {
  let count = 0;
  await withServer(async (admin) => {
    const [row] = await admin<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where datname = ${new URL(database.url).pathname.slice(1)}`;
    count = row?.count ?? 0;
  });
  return count;
}

test('a node whose transactions all wait is still ready, answers searches, and opens no more connections than its budget', async () => {
  const agents = await Promise.all(Array.from({ length: AT_ONCE }, () => SubmittingAgent.signUp(service)));
  const blocker = await beginTransaction(database.pool);
  await blocker`lock table submission in access exclusive mode`;
  const waiting = agents.map((agent) => agent.post('/api/agent/business', business()));
  await until('all transactions for writing wait', async () => {
    const text = await (await service.request('/metrics')).text();
    const queue = Number(/waypost_database_waiting\{pool="write"\} (\d+)/.exec(text)?.[1]);
    const inUse = Number(/waypost_database_connections\{pool="write",state="in_use"\} (\d+)/.exec(text)?.[1]);
    return inUse >= pools.write - 1 && queue > 0;
  });
  const rebuilt = service.app.deps.places.rebuild();
  const reads = agents.map((agent) => agent.get('/api/agent/search?city=bali&q=coffee'));
  assert.equal((await service.request('/readyz')).status, 200);
  assert.deepEqual(new Set((await Promise.all(reads)).map(({ status }) => status)), new Set([200]));
  // The test itself holds one.
  const open = (await openConnections()) - 1;
  assert.ok(open > pools.write && open <= BUDGET, `${open} connections`);
  await blocker`rollback`;
  blocker.release();
  await rebuilt;
  // A request that waited for longer than a statement may is refused, and may be repeated.
  for (const { status } of await Promise.all(waiting)) assert.ok([201, 503].includes(status), `${status}`);
  const after = await Promise.all(agents.map((agent) => agent.post('/api/agent/business', business())));
  assert.deepEqual(new Set(after.map(({ status }) => status)), new Set([201]));
  assert.ok((await openConnections()) - 1 <= BUDGET);
});

test('users who wait for somebody outside leave each other a transaction', async () => {
  const shares = new TransactionShares(transactionsOf(pool), 4, ['dead', 'slow', 'short']);
  const gate = Promise.withResolvers<undefined>();
  let held = 0;
  const dead = Array.from({ length: 5 }, () =>
    shares.of('dead')(async () => {
      held++;
      await gate.promise;
    }),
  );
  const leaving = new AbortController();
  const late = assert.rejects(
    shares.of('dead', leaving.signal)(() => Promise.resolve()),
    { code: 'POOL_BUSY' },
  );
  await until('as many are held as leave one for each other', () => held === 2);
  for (const user of ['slow', 'short', 'slow'])
    assert.equal(await shares.of(user)((tx) => tx`select 1`.then(({ length }) => length)), 1);
  leaving.abort();
  await late;
  assert.equal(held, 2);
  gate.resolve(undefined);
  await Promise.all(dead);
  assert.equal(held, 5);
});
