import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { startTestService } from '../harness/service/service.ts';
import { LONG, tries } from '../harness/tier.ts';
import { RandomMarket } from './random-market.ts';
import { DAY_MS } from '../../src/core/time.ts';

const STEPS = tries({ quick: 800, long: 10_000 });
/** In a short run more of the steps crash, so that each of them does. */
const CRASHES = LONG ? { inHundred: 12, kills: 1 } : { inHundred: 40, kills: 8 };
/** Each kind of end is met more often than this. */
const SELDOM = tries({ quick: 1, long: 20 });
const AT_ONCE = 5;

test(`${STEPS} random operations with crashes between any two statements lose no cent and spend none twice`, async () => {
  // A commit need not reach the disk here: what dies is a connection, never the server.
  const database = await createTestDatabase();
  after(() => database.drop());
  const name = new URL(database.url).pathname.slice(1);
  await database.pool.unsafe(`alter database ${name} set synchronous_commit = off`);
  const service = await startTestService({ database: { ...database, begunWith: 0 } });
  const { pool } = service.database;
  const market = await RandomMarket.open(service, 20_261_114, CRASHES);
  let left = STEPS;
  const work = async () => {
    while (left-- > 0) {
      await market.step();
      if (left % (STEPS / 25) === 0) service.clock.advance(DAY_MS / 2);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await market.close();

  const { faults, licences, totals } = await verifyLedger(pool);
  assert.deepEqual(faults, []);
  assert.equal(
    totals.reduce((sum, { cents }) => sum + cents, 0),
    0,
    'all entries together are zero',
  );
  const [found] = await pool<{ unpaid: number; below: number; keys: number; refunded: number }[]>`
    select (select count(*)::int from photo_licence l where not exists (
              select 1 from ledger_entry e where e.transaction_id = l.transaction_id and e.amount_cents = -l.price_cents)) as unpaid,
           (select count(*)::int from ledger_account where balance_cents < 0) as below,
           (select count(distinct (agent_id, idempotency_key))::int from photo_licence) as keys,
           (select count(*)::int from photo_licence where refunded_at is not null) as refunded`;
  assert.deepEqual([found?.unpaid, found?.below], [0, 0]);
  assert.equal(found?.keys, licences, 'one licence for one key');
  const stored = await pool<{ who: string; id: string }[]>`
    select agent_id || ' ' || idempotency_key as who, id from photo_licence`;
  const byKey = new Map(stored.map(({ who, id }) => [who, id]));
  for (const [who, licenceId] of market.sold)
    assert.equal(byKey.get(who), licenceId, 'what a buyer was told is what stands');
  // The run must have been about something: each kind of end was met, many times.
  const seen = (label: string) => market.counts[label] ?? 0;
  for (const label of ['license: done', 'license: crashed', 'retry: done', 'refund: done', 'top up: crashed'])
    assert.ok(seen(label) > SELDOM, `${label} ${seen(label)}: ${JSON.stringify(market.counts)}`);
  assert.ok(licences > STEPS / 20 && found.refunded > STEPS / 200, JSON.stringify(market.counts));
  assert.ok(Object.keys(market.counts).some((label) => label.endsWith('killed')));
});
