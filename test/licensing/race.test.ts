import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from '../../src/core/postgres/db.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { priceAfter } from '../../src/licensing/price.ts';
import { startTestService } from '../harness/service/service.ts';
import { tries } from '../harness/tier.ts';
import { makeBuyer, type Buyer } from './buyer.ts';
import { addMadeMember, addMadePhoto, fillWallet } from './made-photo.ts';
import { DAY_MS } from '../../src/core/time.ts';

const BUYERS = tries({ quick: 20, long: 50 });
/** In one round everybody would pay any price, in the next some only the first steps. */
const ROUNDS = tries({ quick: 2, long: 50 });
const REPEATS = tries({ quick: 30, long: 100 });
const CAP = 10;
const BASE = 100;

const node = await startTestService();
// Another node has connections of its own.
const connections = connect(node.database.url, { max: 10, statementTimeoutMs: 15_000 });
const other = await startTestService({ database: { ...node.database, pool: connections } });
after(() => connections.end({ timeout: 1 }));
const { pool } = node.database;
const { clock } = node;
const nodes = [node, other] as const;

test(`${BUYERS} buyers at once on a drop of 10, on two nodes, ${ROUNDS} rounds: ten are sold, each at its own step`, async () => {
  const memberId = await addMadeMember(pool, clock);
  const buyers: Buyer[] = [];
  for (let n = 0; n < BUYERS; n++) {
    const buyer = await makeBuyer(node, 40_000);
    buyers.push(n % 2 === 0 ? buyer : buyer.at(other));
  }
  const ladder = Array.from({ length: CAP }, (_, step) => priceAfter(BASE, step));
  for (let round = 0; round < ROUNDS; round++) {
    // The day begins anew now and then, so that the daily cap does not end the race early.
    if (round % 10 === 9) for (const { clock: own } of nodes) own.advance(DAY_MS);
    const photoId = await addMadePhoto(pool, clock, { memberId, prices: { social: BASE }, cap: CAP });
    const eager = round % 2 === 0;
    const answers = await Promise.all(
      buyers.map(async (buyer, n) => {
        const max = eager ? 5_000 : (ladder[(n * 7) % CAP] ?? 0);
        return { max, ...(await buyer.license(photoId, 'social', max, `round-${round}`)) };
      }),
    );
    const sold = answers.filter(({ status }) => status === 201);
    const paid = sold.map(({ body }) => Number(body['price_cents'])).sort((a, b) => a - b);
    assert.deepEqual(paid, ladder.slice(0, paid.length), `round ${round}: each at its own step`);
    assert.ok(sold.every(({ body, max }) => Number(body['price_cents']) <= max));
    const refusals = new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body['code']));
    for (const code of refusals)
      assert.ok(['sold_out', 'price_above_max', 'price_moved'].includes(String(code)), String(code));
    if (eager) assert.equal(paid.length, CAP);
    // Buyers refused for the price may come back with more, until the drop is sold out.
    const again = eager ? [] : buyers.slice(0, 2 * CAP);
    const late = await Promise.all(
      again.map((buyer) => buyer.license(photoId, 'social', 5_000, `late-${round}`)),
    );
    const all = [
      ...paid,
      ...late.filter(({ status }) => status === 201).map(({ body }) => Number(body['price_cents'])),
    ];
    assert.deepEqual(
      all.sort((a, b) => a - b),
      ladder,
      `round ${round}: exactly ten`,
    );
  }
  const [counted] = await pool<{ sold: number; most: number }[]>`
    select (select count(*)::int from photo_licence) as sold, (select max(spent_cents) from photo_spend) as most`;
  assert.equal(counted?.sold, ROUNDS * CAP);
  assert.ok(counted.most <= 5_000);
  const { faults, licences } = await verifyLedger(pool);
  assert.deepEqual([faults, licences], [[], ROUNDS * CAP]);
});

test(`one licence call repeated ${REPEATS} times in parallel with one key is one licence and one charge`, async () => {
  const photoId = await addMadePhoto(pool, clock, { cap: 100 });
  const buyer = await makeBuyer(node, 5_000);
  const twins = [buyer, buyer.at(other)] as const;
  const answers = await Promise.all(
    Array.from({ length: REPEATS }, (_, n) =>
      (twins[n % 2] ?? buyer).license(photoId, 'social', 500, 'only-once'),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).sort(),
    [...Array<number>(REPEATS - 1).fill(200), 201],
    'the first buys, the others hear of it',
  );
  assert.equal(new Set(answers.map(({ body }) => body['license_id'])).size, 1);
  const { body } = await buyer.wallet();
  assert.deepEqual([body['balance_cents'], body['licences_total']], [4_500, 1]);
});

test('purchases of one agent at the same moment never pass its balance or its cap', async () => {
  const memberId = await addMadeMember(pool, clock);
  const photos = await Promise.all(
    Array.from({ length: 30 }, () => addMadePhoto(pool, clock, { memberId, prices: { social: 400 } })),
  );
  const poor = await makeBuyer(node, 1_000);
  const rich = await makeBuyer(node, 5_000);
  await fillWallet(pool, clock, rich.agentId, 5_000);
  for (const [buyer, bought, code] of [
    [poor, 2, 'insufficient_funds'],
    [rich, 12, 'daily_cap_exceeded'],
  ] as const) {
    const twins = [buyer, buyer.at(other)] as const;
    const answers = await Promise.all(
      photos.map((photoId, n) => (twins[n % 2] ?? buyer).license(photoId, 'social', 5_000, `all-${n}`)),
    );
    const made = answers.filter(({ status }) => status === 201);
    assert.ok(made.length <= bought && made.length > 0);
    assert.ok(answers.every(({ status, body }) => status === 201 || body['code'] === code));
  }
  assert.deepEqual((await verifyLedger(pool)).faults, []);
});
