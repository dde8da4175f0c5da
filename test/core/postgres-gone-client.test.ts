import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { after, describe, test } from 'node:test';
import { connect, isUnavailable, type Pool } from '../../src/core/postgres/db.ts';
import { openQueuePool } from '../../src/jobs/queue-pool.ts';
import { createLog } from '../../src/core/log.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { silentProxy } from '../harness/service/postgres-stand-in.ts';

const database = await createTestDatabase('template0');
const { pool } = database;
after(() => database.drop());
await pool`create table wanted (id int)`;
await pool`insert into wanted values (1)`;
await pool`create table kept (id int)`;

const one = { max: 1, statementTimeoutMs: 5_000 };
const LOST_LOCK = 7_000_001;
const KEPT_LOCK = 7_000_002;
/** Longer than the server waits for the next statement of a transaction. */
const LONG_MS = 13_000;

/** Whether somebody holds the lock, as the server has it. */
async function isLocked(lock: number): Promise<boolean> {
  const rows = await pool`select from pg_locks where locktype = 'advisory' and objid = ${lock}`;
  return rows.length > 0;
}

async function setting(from: Pool, name: string): Promise<string | undefined> {
  const [row] = await from<{ value: string }[]>`select current_setting(${name}) as value`;
  return row?.value;
}

test('every pool has the server end transactions whose client is gone, and the address cannot change that', async () => {
  const address = new URL(database.url);
  address.searchParams.set('idle_in_transaction_session_timeout', '0');
  const name = 'idle_in_transaction_session_timeout';
  for (const [statementTimeoutMs, expected] of [
    [5_000, '10s'],
    [0, '1min'],
  ] as const) {
    const own = connect(address.href, { max: 1, statementTimeoutMs });
    assert.equal(await setting(own, name), expected);
    await own.end();
  }
  const queue = openQueuePool(address.href, createLog('silent', process.stderr));
  const { rows } = await queue.query<{ value: string }>(`select current_setting('${name}') as value`);
  assert.equal(rows[0]?.value, '10s');
  await queue.end();
});

// Each waits for the server for many seconds, so they wait together.
describe('a transaction that says nothing for long', { concurrency: true }, () => {
  test('a transaction whose link was cut is ended with its locks, and its client knows before', async () => {
    const proxy = await silentProxy(database.url);
    const cut = connect(proxy.url, one);
    const ended = Promise.withResolvers<undefined>();
    const over = Promise.withResolvers<undefined>();
    const lost = assert.rejects(
      cut.begin(async (tx) => {
        await tx`select from wanted for update`;
        await tx`select pg_advisory_xact_lock(${LOST_LOCK})`;
        assert.equal(tx.holdsLocks(), true);
        proxy.silence();
        await until('the server has ended it', async () => {
          const held = await isLocked(LOST_LOCK);
          // The server's lock was checked first, so the client's flag must be false by now.
          if (!held) assert.equal(tx.holdsLocks(), false, 'it never takes for held what is not');
          return !held;
        });
        ended.resolve(undefined);
        await over.promise;
        await tx`select 1`;
      }),
      (thrown) => isUnavailable(thrown),
    );
    await Promise.race([ended.promise, lost]);
    assert.equal((await pool`select from wanted for update skip locked`).length, 1, 'the row is free');
    over.resolve(undefined);
    proxy.end();
    await lost;
    await cut.end({ timeout: 1 });
  });

  test('a transaction that waits for something outside keeps its locks for as long as that takes', async () => {
    const waiting = connect(database.url, one);
    await waiting.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${KEPT_LOCK})`;
      await pause(LONG_MS);
      assert.equal(await isLocked(KEPT_LOCK), true);
      assert.equal(tx.holdsLocks(), true);
      await tx`insert into kept values (1)`;
    });
    assert.equal((await pool`select from kept`).length, 1);
    await waiting.end();
  });
});

test('a transaction that failed or is over holds nothing', async () => {
  let kept: (() => boolean) | undefined;
  await pool.begin(async (tx) => {
    await tx`select 1`;
    kept = tx.holdsLocks;
    assert.equal(kept(), true);
  });
  assert.equal(kept?.(), false);
  await assert.rejects(
    pool.begin(async (tx) => {
      await tx`select 1 / 0`.catch(() => undefined);
      assert.equal(tx.holdsLocks(), false);
    }),
    { code: '22012' },
  );
  assert.equal(pool.holdsLocks(), false);
});
