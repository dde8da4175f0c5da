import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { startTestService } from '../harness/service/service.ts';
import { makeBuyer, type Answered, type Buyer } from './buyer.ts';
import { addMadePhoto, DROP_MS } from './made-photo.ts';
import { HOUR_MS } from '../../src/core/time.ts';

const service = await startTestService({ settings: { TEST_PAYMENTS: 'on' } });
const { pool } = service.database;
const { clock } = service;
const NOWHERE = 'pho_01kdtqb00071qz6sbs7e2vkqza';

function refused({ status, body }: Answered): [number, unknown] {
  return [status, body['code']];
}

async function nothingCharged(buyer: Buyer, balance: number): Promise<void> {
  const { body } = await buyer.wallet();
  assert.deepEqual(
    [body['balance_cents'], body['licences_total'], body['spent_today_cents']],
    [balance, 0, 0],
  );
}

test('a photo that does not exist, or was never offered, is not known', async () => {
  const buyer = await makeBuyer(service, 5_000);
  const waiting = await addMadePhoto(pool, clock, { state: 'to_check' });
  for (const photoId of [NOWHERE, waiting, 'x']) {
    assert.deepEqual(refused(await buyer.license(photoId, 'web', 900, 'k')), [404, 'photo_not_found']);
    assert.deepEqual(refused(await buyer.quote(photoId, 'web')), [404, 'photo_not_found']);
  }
  await nothingCharged(buyer, 5_000);
});

test('a drop is over after three days, and a drop without licences is sold out', async () => {
  const buyer = await makeBuyer(service, 5_000);
  const last = await addMadePhoto(pool, clock, { cap: 1 });
  assert.equal((await (await makeBuyer(service, 900)).license(last, 'web', 900, 'k')).status, 201);
  assert.deepEqual(refused(await buyer.license(last, 'web', 900, 'k')), [410, 'sold_out']);
  assert.deepEqual(refused(await buyer.quote(last, 'web')), [410, 'sold_out']);
  const photoId = await addMadePhoto(pool, clock);
  clock.advance(DROP_MS - 1);
  assert.equal((await buyer.quote(photoId, 'web')).status, 200);
  clock.advance(1);
  assert.deepEqual(refused(await buyer.license(photoId, 'web', 900, 'k')), [410, 'drop_ended']);
  assert.deepEqual(refused(await buyer.quote(photoId, 'web')), [410, 'drop_ended']);
  const { body } = await buyer.get('/api/agent/photos/search');
  assert.deepEqual(body['photos'], []);
  clock.advance(-DROP_MS);
  await nothingCharged(buyer, 5_000);
});

test('a use that the photographer does not offer is refused with those that are', async () => {
  const buyer = await makeBuyer(service, 5_000);
  const photoId = await addMadePhoto(pool, clock);
  const answer = await buyer.license(photoId, 'ai_training', 5_000, 'k');
  assert.deepEqual(refused(answer), [422, 'use_not_offered']);
  assert.match(String(answer.body['detail']), /social, web, ad/);
  assert.deepEqual(refused(await buyer.quote(photoId, 'ai_training')), [422, 'use_not_offered']);
  assert.deepEqual(refused(await buyer.license(photoId, 'poster', 5_000, 'k')), [422, 'validation_failed']);
  await nothingCharged(buyer, 5_000);
});

test('without the most that may be paid, nothing is bought', async () => {
  const buyer = await makeBuyer(service, 5_000);
  const photo_id = await addMadePhoto(pool, clock);
  const none = await buyer.post('/api/agent/photos/license', { photo_id, use: 'web' });
  assert.deepEqual(refused(none), [422, 'max_price_required']);
  assert.deepEqual((none.body['errors'] as { pointer: string }[])[0]?.pointer, '/max_price_cents');
  for (const max_price_cents of [0, -5, 9.5, 'nine', null]) {
    const { status } = await buyer.post('/api/agent/photos/license', {
      photo_id,
      use: 'web',
      max_price_cents,
    });
    assert.equal(status, 422, String(max_price_cents));
  }
  await nothingCharged(buyer, 5_000);
});

test('a price above the maximum is refused with the quote', async () => {
  const buyer = await makeBuyer(service, 5_000);
  const photoId = await addMadePhoto(pool, clock);
  const answer = await buyer.license(photoId, 'web', 899, 'k');
  assert.deepEqual(refused(answer), [409, 'price_above_max']);
  assert.equal(answer.body['result'], undefined);
  const quote = answer.body['quote'] as Record<string, unknown>;
  assert.deepEqual(
    [quote['price_cents'], quote['price_after_next_cents'], quote['guaranteed']],
    [900, 990, false],
  );
  await nothingCharged(buyer, 5_000);
});

test('a price that another buyer moved since this one saw it is called so, once', async () => {
  const photoId = await addMadePhoto(pool, clock);
  const other = await makeBuyer(service, 5_000);
  const [asked, searched, never, old] = [
    await makeBuyer(service, 5_000),
    await makeBuyer(service, 5_000),
    await makeBuyer(service, 5_000),
    await makeBuyer(service, 5_000),
  ];
  await old.quote(photoId, 'web');
  await searched.get('/api/agent/photos/search');
  clock.advance(15 * 60_000 + 1);
  await asked.quote(photoId, 'web');
  await never.quote(photoId, 'social');
  assert.equal((await other.license(photoId, 'social', 500, 'k')).status, 201);
  for (const buyer of [asked, searched]) {
    const answer = await buyer.license(photoId, 'web', 900, 'k');
    assert.deepEqual(refused(answer), [409, 'price_moved']);
    assert.equal(answer.body['result'], 'price_moved');
    assert.equal((answer.body['quote'] as { price_cents: number }).price_cents, 990);
    await nothingCharged(buyer, 5_000);
  }
  // A buyer who never saw the price of this use, or saw it too long ago, was not overtaken by another.
  for (const buyer of [never, old])
    assert.deepEqual(refused(await buyer.license(photoId, 'web', 900, 'k')), [409, 'price_above_max']);
  // A buyer whose own licence raised the price saw the new one in its answer.
  assert.deepEqual(refused(await other.license(photoId, 'social', 500, 'l')), [409, 'price_above_max']);
  // The refusal contains the price, which counts as seen from then on.
  await asked.quote(photoId, 'web');
  assert.deepEqual(refused(await asked.license(photoId, 'web', 900, 'k')), [409, 'price_above_max']);
  clock.advance(-15 * 60_000 - 1);
});

test('a wallet that holds too little is refused with its balance', async () => {
  const photoId = await addMadePhoto(pool, clock);
  const buyer = await makeBuyer(service, 899);
  const answer = await buyer.license(photoId, 'web', 900, 'k');
  assert.deepEqual(refused(answer), [402, 'insufficient_funds']);
  assert.deepEqual(answer.body['balance'], { balance_cents: 899, test_credit_cents: 0, currency: 'USD' });
  await nothingCharged(buyer, 899);
  const empty = await makeBuyer(service);
  assert.deepEqual(refused(await empty.license(photoId, 'web', 900, 'k')), [402, 'insufficient_funds']);
});

test('50 USD in a UTC day are the most, whichever credit pays; at midnight the day is new', async () => {
  const prices = { ad: 2_500 };
  const [one, two, three] = [
    await addMadePhoto(pool, clock, { prices }),
    await addMadePhoto(pool, clock, { prices }),
    await addMadePhoto(pool, clock, { prices: { social: 1 } }),
  ];
  const buyer = await makeBuyer(service, 2_500, 'test');
  const { fillWallet } = await import('./made-photo.ts');
  assert.equal((await buyer.license(one, 'ad', 2_500, 'a')).body['test'], true);
  await fillWallet(pool, clock, buyer.agentId, 10_000);
  assert.equal((await buyer.license(two, 'ad', 2_500, 'b')).body['test'], false);
  const answer = await buyer.license(three, 'social', 1, 'c');
  assert.deepEqual(refused(answer), [409, 'daily_cap_exceeded']);
  assert.equal(answer.body['resets_at'], '2026-11-15T00:00:00.000Z');
  assert.equal((await buyer.license(two, 'ad', 2_500, 'b')).status, 200, 'a repetition is no new spending');
  clock.advance(12 * HOUR_MS);
  assert.equal((await buyer.license(three, 'social', 1, 'c')).status, 201);
  clock.advance(-12 * HOUR_MS);
});

test('nobody buys without a key, and bad input changes nothing', async () => {
  const photoId = await addMadePhoto(pool, clock);
  const body = JSON.stringify({ photo_id: photoId, use: 'web', max_price_cents: 900 });
  const headers = { 'content-type': 'application/json' };
  const response = await service.request('/api/agent/photos/license', { method: 'POST', headers, body });
  assert.equal(response.status, 401);
  const buyer = await makeBuyer(service, 5_000);
  for (const key of ['x'.repeat(256), 'über']) {
    assert.equal((await buyer.license(photoId, 'web', 900, key)).status, 422, key);
  }
  await nothingCharged(buyer, 5_000);
  assert.deepEqual((await verifyLedger(pool)).faults, []);
});
